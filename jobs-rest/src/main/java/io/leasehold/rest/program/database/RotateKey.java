package io.leasehold.rest.program.database;

import io.leasehold.migrations.Migrator;
import java.io.PrintWriter;

/**
 * Creates a new key for the proof of tenants, and reports how processes adopt it.
 *
 * @param out the output for people
 */
public record RotateKey(PrintWriter out) {

  /**
   * Rotates the key.
   *
   * @param oldIsStolen whether the old key is rejected at once
   * @throws IllegalArgumentException if no administrator was configured
   */
  public void rotate(Database database, boolean oldIsStolen) {
    new Migrator(database.requireMigration()).rotateKey(oldIsStolen);
    out.println(
        oldIsStolen
            ? "key       replaced; old keys are refused from now on"
            : "key       replaced; processes use the new one within 30 seconds, and the old one is"
                + " accepted for another hour");
  }
}
