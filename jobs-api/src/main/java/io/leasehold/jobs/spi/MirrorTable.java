package io.leasehold.jobs.spi;

import java.util.regex.Pattern;

/**
 * A table whose records mirror jobs. The platform writes a job's status and times into the record
 * of the job, in the transaction that changes the job. A migration of the table's module declares
 * the table by {@code leasehold.mirror}. Immutable.
 *
 * @param name the schema and the table, for example {@code acme.tool_run}
 */
public record MirrorTable(String name) {

  private static final int NAME_MAX = 127;
  private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]*\\.[a-z_][a-z0-9_]*");

  /**
   * Checks the name.
   *
   * @throws IllegalArgumentException if the name is not a schema and a table in lower case
   */
  public MirrorTable {
    if (name.length() > NAME_MAX || !NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "name must be schema.table of a-z, 0-9 and _ in up to %d characters, not '%s'"
              .formatted(NAME_MAX, name));
    }
  }

  /**
   * Returns the table with this name.
   *
   * @throws IllegalArgumentException if the name is not a schema and a table in lower case
   */
  public static MirrorTable named(String name) {
    return new MirrorTable(name);
  }

  @Override
  public String toString() {
    return name;
  }
}
