package io.leasehold.db.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import org.postgresql.core.BaseConnection;

/**
 * The connections on which a transaction of a tenant ran, and whose settings nothing has reset
 * since.
 *
 * <p>SQL that gets past the DSL can leave a setting in the session. Each transaction of a tenant
 * begins with a reset; a call that brings its proof along does not, so it is sent with an opening
 * on such a connection. Safe to share between threads.
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

  // The pool's object is another one each time.
  static BaseConnection driver(Connection pooled) throws SQLException {
    return pooled.unwrap(BaseConnection.class);
  }
}
