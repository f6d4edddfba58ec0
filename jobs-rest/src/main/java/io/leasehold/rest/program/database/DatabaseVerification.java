package io.leasehold.rest.program.database;

import io.leasehold.db.Finding;
import io.leasehold.db.SecureDatabase;
import java.util.stream.Collectors;

/** Finds everything that makes a database unfit for use. */
public final class DatabaseVerification {

  private DatabaseVerification() {}

  /**
   * Refuses a database with findings.
   *
   * @throws IllegalStateException with all findings
   */
  public static void require(Database database) {
    var findings = SecureDatabase.findings(database.runtime());
    if (!findings.isEmpty()) {
      throw new IllegalStateException(
          findings.stream()
              .map(Finding::inWords)
              .collect(
                  Collectors.joining(
                      "\n- ", "%s is not fit to work on:\n- ".formatted(database), "")));
    }
  }
}
