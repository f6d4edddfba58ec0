package io.leasehold.rest.program.database;

import io.leasehold.db.Finding;
import io.leasehold.db.SecureDatabase;
import java.util.stream.Collectors;

/** Everything that speaks against working on a database. */
public final class DatabaseVerification {

  private DatabaseVerification() {}

  /**
   * Refuses a database with findings.
   *
   * @throws IllegalStateException that tells all of them
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
