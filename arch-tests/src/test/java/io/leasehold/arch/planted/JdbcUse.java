package io.leasehold.arch.planted;

import com.zaxxer.hikari.HikariConfig;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.jooq.ConnectionProvider;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PGInterval;

/** Ways to a connection of one's own. */
public final class JdbcUse {

  private JdbcUse() {}

  public static final class OpensConnections {
    boolean works(String url) throws SQLException {
      try (var connection = DriverManager.getConnection(url)) {
        return connection.isValid(1);
      }
    }
  }

  public static final class HoldsDataSource {
    @Nullable DataSource source;
  }

  public static final class ListsDataSources {
    List<DataSource> sources = List.of();
  }

  public static final class CatchesSqlExceptions {
    boolean works(Callable<Boolean> work) {
      try {
        return work.call();
      } catch (SQLException e) {
        return false;
      } catch (Exception e) {
        return true;
      }
    }
  }

  public static final class ConfiguresPool {
    HikariConfig config() {
      return new HikariConfig();
    }
  }

  public static final class UsesDriverTypes {
    Object interval() {
      return new PGInterval();
    }
  }

  public static final class PassesConnectionsOn {
    void swap(ConnectionProvider from, ConnectionProvider to) {
      to.release(from.acquire());
    }
  }

  /** The clean twin: jOOQ's own exceptions are no JDBC. */
  public static final class CatchesJooqExceptions {
    boolean works(Runnable work) {
      try {
        work.run();
        return true;
      } catch (DataAccessException e) {
        return false;
      }
    }
  }
}
