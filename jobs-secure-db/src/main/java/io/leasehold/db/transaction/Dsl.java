package io.leasehold.db.transaction;

import io.leasehold.db.connection.Session;
import io.leasehold.db.guard.GuardedConnection;
import io.leasehold.db.scope.ScopeStatements;
import java.sql.Connection;
import java.util.function.Consumer;
import org.jooq.Configuration;
import org.jooq.ConnectionProvider;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.conf.ExecuteWithoutWhere;
import org.jooq.conf.Settings;
import org.jooq.conf.SettingsTools;
import org.jooq.impl.DefaultConfiguration;
import org.jooq.impl.DefaultExecuteListenerProvider;
import org.jooq.impl.DefaultVisitListenerProvider;
import org.jspecify.annotations.Nullable;

/** Sets up jOOQ for one session. */
final class Dsl {

  private static final Settings SETTINGS =
      new Settings()
          .withExecuteLogging(false)
          .withExecuteUpdateWithoutWhere(ExecuteWithoutWhere.THROW)
          .withExecuteDeleteWithoutWhere(ExecuteWithoutWhere.THROW);

  private Dsl() {}

  /** Returns a context in which every statement is scoped. */
  static DSLContext scoped(Session session, ScopeStatements scope) {
    var connection = GuardedConnection.of(session, scope::takeApproved);
    var configuration =
        configured(session, connection, scope::approve)
            .set(new DefaultVisitListenerProvider(scope));
    scope.require(configuration);
    return configuration.dsl();
  }

  /** Returns a context for the engine's own statements. */
  static DSLContext unscoped(Session session) {
    return configured(session, GuardedConnection.ofEngine(session), sql -> {}).dsl();
  }

  // The settings are a copy, because code that has the context can change them.
  private static Configuration configured(
      Session session, Connection connection, Consumer<@Nullable String> preparing) {
    return new DefaultConfiguration()
        .set(SQLDialect.POSTGRES)
        .set(SettingsTools.clone(SETTINGS))
        .set(new OneConnection(connection))
        .set(new NoTransactions())
        .set(new DefaultExecuteListenerProvider(new WatchStatements(session, preparing)));
  }

  /** Provides the session's connection; the session returns it to the pool. */
  private record OneConnection(Connection connection) implements ConnectionProvider {

    @Override
    public Connection acquire() {
      return connection;
    }

    @Override
    public void release(Connection released) {}
  }
}
