package io.leasehold.migrations;

import io.leasehold.migrations.ModuleSchema.Comparison;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a database to the schema of this program: roles, tables, functions, policies.
 *
 * <p>The role {@code leasehold_owner} creates everything. Any number of processes may migrate the
 * same database at once: one of them does, and the others wait for it and find nothing left to do.
 * Immutable, and therefore thread-safe.
 */
public final class Migrator {

  private static final Logger log = LoggerFactory.getLogger(Migrator.class);

  private final MigrationConfig config;
  private final Connections connections;
  private final List<ModuleMigrations> modules;

  /** Creates a migrator for the platform's own schema. It connects only when it has work to do. */
  public Migrator(MigrationConfig config) {
    this(config, List.of(ModuleMigrations.PLATFORM));
  }

  private Migrator(MigrationConfig config, List<ModuleMigrations> modules) {
    this.config = config;
    this.connections = new Connections(config);
    this.modules = List.copyOf(modules);
  }

  /**
   * Returns a migrator that also applies a module's migrations, after those that it has.
   *
   * @throws IllegalArgumentException if another module has the same schema
   */
  public Migrator and(ModuleMigrations module) {
    if (modules.stream().anyMatch(other -> other.schema().equals(module.schema()))) {
      throw new IllegalArgumentException("schema must be the module's own, not " + module.schema());
    }
    var all = new ArrayList<>(modules);
    all.add(module);
    return new Migrator(config, all);
  }

  /**
   * Creates missing roles, grants missing rights, and applies pending migrations. A repeated call
   * does nothing.
   *
   * @throws MigrationException if an administrator has to grant missing rights, all of which are
   *     listed; if the database is ahead of this program; if a migration fails or leaves a table
   *     unprotected
   */
  public Migration migrate() {
    try (var connection = connections.open();
        var _ = MigrationLock.of(connection)) {
      new ProvideRoles(config).in(connection);
      var schemas = schemas(connections.asOwner());
      schemas.stream().map(ModuleSchema::compare).forEach(this::refuseWhatCannotBeMigrated);
      var migration = new Migration(schemas.stream().map(ModuleSchema::migrate).toList());
      ChooseTenantProof.in(connections.asOwner());
      new RefuseUnprotected().in(connections.asOwner());
      log.info("{} {}", config.database(), migration.inWords());
      return migration;
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private void refuseWhatCannotBeMigrated(Comparison schema) {
    if (!schema.unknown().isEmpty()) {
      throw new MigrationException(
          "%s is ahead of this program, which does not know %s: start the newer program"
              .formatted(config.database(), String.join(", ", schema.unknown())));
    }
    if (!schema.changed().isEmpty()) {
      throw new MigrationException(
          "%s was changed after it was applied to %s: restore the file, and write a new one"
              .formatted(String.join(", ", schema.changed()), config.database()));
    }
    if (!schema.late().isEmpty()) {
      throw new MigrationException(
          "%s came after a newer one was applied to %s: give it the next number"
              .formatted(String.join(", ", schema.late()), config.database()));
    }
  }

  /**
   * Creates missing roles and grants missing rights, and nothing else. This is enough for a
   * restored or copied database, which brings its schemas along but not its own rights.
   *
   * @throws MigrationException if an administrator has to grant missing rights
   */
  public void provision() {
    try (var connection = connections.open();
        var _ = MigrationLock.of(connection)) {
      new ProvideRoles(config).in(connection);
      ChooseTenantProof.in(connections.asOwner());
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  /**
   * Creates a new key for the proof of tenants. Running processes start to use it within 30
   * seconds, and the old key is accepted for another hour.
   *
   * @param oldIsStolen whether to refuse the old keys from now on: running transactions, and those
   *     that begin before their process reads the new key, then fail
   * @throws MigrationException if the database cannot be reached, or was not migrated
   */
  public void rotateKey(boolean oldIsStolen) {
    connections.check();
    try (var connection = connections.asOwner().getConnection();
        var statement = connection.prepareStatement("SELECT leasehold.rotate_tenant_key(?)")) {
      statement.setBoolean(1, oldIsStolen);
      statement.execute();
      log.info("{} has a new key for the proof of tenants", config.database());
    } catch (SQLException e) {
      throw new MigrationException(
          "cannot rotate the key of " + config.database() + ": " + e.getMessage(), e);
    }
  }

  /**
   * Returns the state of the database relative to this program, and changes nothing. The role
   * {@code leasehold_engine} may call it once the database has been migrated.
   *
   * @throws MigrationException if the state cannot be read
   */
  public SchemaStatus status() {
    connections.check();
    var compared = schemas(connections.asUser()).stream().map(ModuleSchema::compare).toList();
    return told(compared, Comparison::unknown, SchemaStatus.Ahead::new)
        .or(() -> told(compared, Comparison::changed, SchemaStatus.Changed::new))
        .or(() -> told(compared, Comparison::late, SchemaStatus.OutOfOrder::new))
        .or(() -> told(compared, Comparison::pending, SchemaStatus.Pending::new))
        .orElseGet(SchemaStatus.Current::new);
  }

  private static Optional<SchemaStatus> told(
      List<Comparison> schemas,
      Function<Comparison, List<String>> part,
      Function<List<String>, SchemaStatus> status) {
    var migrations = schemas.stream().flatMap(schema -> part.apply(schema).stream()).toList();
    return migrations.isEmpty() ? Optional.empty() : Optional.of(status.apply(migrations));
  }

  private List<ModuleSchema> schemas(DataSource database) {
    return modules.stream().map(module -> new ModuleSchema(module, database)).toList();
  }

  private MigrationException failed(SQLException e) {
    return new MigrationException("cannot migrate " + config.database() + ": " + e.getMessage(), e);
  }
}
