package io.leasehold.codegen;

import io.leasehold.embedded.EmbeddedServer;
import io.leasehold.migrations.MigrationConfig;
import io.leasehold.migrations.Migrator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.Map;

/** Migrates an empty database and writes its tables, views and functions as Java classes. */
public final class GenerateTables {

  private static final String DATABASE = "postgres";

  private GenerateTables() {}

  /**
   * Writes into two folders, which need not exist.
   *
   * @param args the folder for {@code io.leasehold.db.schema}; the folder for the sample module's
   *     {@code io.leasehold.db.acme}; the SQL file that makes the sample's tables
   */
  public static void main(String[] args) throws Exception {
    var platform = Path.of(args[0]);
    var sample = Path.of(args[1]);
    var sampleSql = Path.of(args[2]);
    try (var server = EmbeddedServer.temporary(Map.of())) {
      migrate(server);
      try (var connection =
          DriverManager.getConnection(
              server.jdbcUrl(DATABASE), EmbeddedServer.SUPERUSER, server.password())) {
        SchemaSources.platform(platform).generate(connection);
        SchemaVersionSource.write(connection, platform);
        execute(connection, sampleSql);
        SchemaSources.sample(sample).generate(connection);
      }
    }
  }

  private static void migrate(EmbeddedServer server) throws Exception {
    new Migrator(
            new MigrationConfig(
                server.jdbcUrl(DATABASE), EmbeddedServer.SUPERUSER, server.password(), Map.of()))
        .migrate();
  }

  private static void execute(Connection connection, Path sql) throws Exception {
    try (var statement = connection.createStatement()) {
      statement.execute(Files.readString(sql));
    }
  }
}
