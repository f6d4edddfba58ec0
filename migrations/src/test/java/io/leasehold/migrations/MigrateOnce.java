package io.leasehold.migrations;

import java.util.Map;

/** A program that migrates, as a service does when it starts. */
final class MigrateOnce {

  private MigrateOnce() {}

  /** Prints how many migrations it applied. */
  public static void main(String[] urlAndUserAndPassword) {
    var config =
        new MigrationConfig(
            urlAndUserAndPassword[0], urlAndUserAndPassword[1], urlAndUserAndPassword[2], Map.of());
    System.out.println("applied " + new Migrator(config).migrate().applied());
  }
}
