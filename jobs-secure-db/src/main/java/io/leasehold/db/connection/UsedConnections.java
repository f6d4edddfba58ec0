package io.leasehold.db.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import javax.sql.DataSource;
import org.postgresql.core.BaseConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * For which tenants each connection was last used, where nothing cleaned it afterwards.
 *
 * <p>SQL that gets past the DSL, in a transaction that is taken for one which only reads, can leave
 * a statement under the name of one that the driver keeps on the server. The next transaction would
 * run it. So a connection is cleaned before other tenants use it. Safe to share between threads.
 */
public final class UsedConnections {

  private static final Logger log = LoggerFactory.getLogger(UsedConnections.class);

  private final Map<Connection, Object> users = Collections.synchronizedMap(new WeakHashMap<>());

  /** One session's use of a connection. */
  public interface Use {

    /** Of sessions that run no statements of tenants, or over which nothing is prepared. */
    static Use untracked() {
      return new Use() {
        @Override
        public Connection take(DataSource pool) throws SQLException {
          return pool.getConnection();
        }

        @Override
        public void begin(Connection taken) {}

        @Override
        public void end(Connection cleaned) {}
      };
    }

    /** Takes a connection on which nothing of other tenants is left. */
    Connection take(DataSource pool) throws SQLException;

    /** Statements of the tenants are about to run. */
    void begin(Connection taken) throws SQLException;

    /** The connection was cleaned behind them. */
    void end(Connection cleaned) throws SQLException;
  }

  /** A use by tenants, which are compared with those of other uses. */
  public Use by(Object tenants) {
    return new TenantsUse(tenants);
  }

  private final class TenantsUse implements Use {

    private final Object tenants;

    TenantsUse(Object tenants) {
      this.tenants = tenants;
    }

    @Override
    public Connection take(DataSource pool) throws SQLException {
      var taken = pool.getConnection();
      while (isOfOthers(taken) && !isCleaned(taken)) {
        taken = pool.getConnection();
      }
      return taken;
    }

    @Override
    public void begin(Connection taken) throws SQLException {
      users.put(driver(taken), tenants);
    }

    @Override
    public void end(Connection cleaned) throws SQLException {
      users.remove(driver(cleaned));
    }

    private boolean isOfOthers(Connection taken) throws SQLException {
      return !users.getOrDefault(driver(taken), tenants).equals(tenants);
    }

    private boolean isCleaned(Connection taken) throws SQLException {
      var isCleaned = false;
      try {
        taken.setAutoCommit(true); // No BEGIN, which could be another statement by now.
        isCleaned = !CleanEnd.ENDED.of(taken);
        taken.setAutoCommit(false);
      } finally {
        if (!isCleaned) {
          giveUp(taken);
        }
      }
      if (isCleaned) {
        end(taken);
      } else {
        log.warn(Session.SPOILED);
      }
      return isCleaned;
    }
  }

  private static void giveUp(Connection taken) {
    try {
      taken.abort(Runnable::run);
      taken.close();
    } catch (SQLException e) {
      log.debug("the connection was broken already", e);
    }
  }

  // The pool's object is another one each time.
  static BaseConnection driver(Connection pooled) throws SQLException {
    return pooled.unwrap(BaseConnection.class);
  }
}
