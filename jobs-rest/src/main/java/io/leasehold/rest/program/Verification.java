package io.leasehold.rest.program;

import io.leasehold.migrations.Migrator;
import io.leasehold.migrations.SchemaStatus;
import java.util.List;

/** Everything that speaks against working on a database. */
final class Verification {

  private Verification() {}

  /** Says for each finding what is wrong and what to do; nothing if all is well. */
  static List<String> findings(Database database) {
    return schema(new Migrator(database.look()).status());
  }

  private static List<String> schema(SchemaStatus status) {
    return switch (status) {
      case SchemaStatus.Current() -> List.of();
      case SchemaStatus.Pending(var migrations) ->
          List.of("the schema lacks %s: run migrate".formatted(String.join(", ", migrations)));
      case SchemaStatus.Ahead(var migrations) ->
          List.of(
              "the database is ahead by %s: start the newer program"
                  .formatted(String.join(", ", migrations)));
    };
  }

  /**
   * Refuses a database with findings.
   *
   * @throws IllegalStateException that tells all of them
   */
  static void require(Database database) {
    var findings = findings(database);
    if (!findings.isEmpty()) {
      throw new IllegalStateException(
          "%s is not fit to work on:%n- %s".formatted(database, String.join("\n- ", findings)));
    }
  }
}
