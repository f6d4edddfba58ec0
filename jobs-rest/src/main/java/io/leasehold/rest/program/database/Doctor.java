package io.leasehold.rest.program.database;

import io.leasehold.db.SecureDatabase;
import java.io.PrintWriter;

/** Examines a database for people, without changing anything. */
public final class Doctor {

  private final PrintWriter out;

  public Doctor(PrintWriter out) {
    this.out = out;
  }

  /**
   * Examines a database.
   *
   * @throws IllegalStateException with all findings, if there are any
   */
  public void examine(Database database) {
    out.println("database  " + database);
    DatabaseVerification.require(database);
    out.println("verified  all is well");
    SecureDatabase.advice(database.runtime())
        .forEach(advice -> out.println("advice    " + advice.inWords()));
  }
}
