package io.leasehold.rest.program.database;

import io.leasehold.migrations.Migrator;
import java.io.PrintWriter;

/**
 * Makes a new key for the proof of tenants, and reports what processes do with it.
 *
 * @param out for people
 */
public record RotateKey(PrintWriter out) {

  /**
   * Rotates the key.
   *
   * @param oldIsStolen whether the old key is refused at once
   * @throws IllegalArgumentException if no administrator was named
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
