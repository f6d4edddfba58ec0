package io.leasehold.migrations;

import java.sql.SQLException;
import org.flywaydb.core.api.callback.BaseCallback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;

/**
 * Lets the engine's role read a module's history, so that a running program can report its status.
 */
final class ShowHistory extends BaseCallback {

  private final String schema;

  ShowHistory(ModuleMigrations module) {
    this.schema = module.schema();
  }

  @Override
  public boolean supports(Event event, Context context) {
    return event == Event.AFTER_EACH_MIGRATE;
  }

  @Override
  public void handle(Event event, Context context) {
    try (var statement = context.getConnection().createStatement()) {
      statement.execute("GRANT USAGE ON SCHEMA \"%s\" TO leasehold_engine".formatted(schema));
      statement.execute(
          "GRANT SELECT ON \"%s\".flyway_schema_history TO leasehold_engine".formatted(schema));
    } catch (SQLException e) {
      throw new MigrationException("cannot show the history of " + schema, e);
    }
  }
}
