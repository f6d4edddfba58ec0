package io.leasehold.db.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import org.postgresql.core.BaseConnection;

/**
 * The connections on which a tenant's transaction ran, and whose settings have not been reset
 * since.
 *
 * <p>SQL that gets past the DSL can leave a setting in the session. Each tenant transaction begins
 * with a reset, but a call that brings its own proof does not. On such a connection, the call is
 * therefore sent with an opening. Safe to share between threads.
 */
public final class UsedConnections {

  private final Set<Connection> used =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  void add(Connection pooled) throws SQLException {
    used.add(driver(pooled));
  }

  boolean has(Connection pooled) throws SQLException {
    return used.contains(driver(pooled));
  }

  void remove(Connection pooled) throws SQLException {
    used.remove(driver(pooled));
  }

  // The pool wraps the connection in another object each time.
  static BaseConnection driver(Connection pooled) throws SQLException {
    return pooled.unwrap(BaseConnection.class);
  }
}
