package io.leasehold.bench.limit;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.function.ToIntFunction;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** Reads with jOOQ in plain transactions from a pool: no tenants, no limits, no policies. */
public final class PlainReads implements AutoCloseable {

  private final HikariDataSource pool;

  public PlainReads(String jdbcUrl, String user, String password) {
    var config = new HikariConfig();
    config.setJdbcUrl(jdbcUrl);
    config.setUsername(user);
    config.setPassword(password);
    config.setAutoCommit(false);
    this.pool = new HikariDataSource(config);
  }

  /** Runs the work in a transaction and commits it. */
  public int read(ToIntFunction<DSLContext> work) {
    try (var connection = pool.getConnection()) {
      var result = work.applyAsInt(DSL.using(connection, SQLDialect.POSTGRES));
      connection.commit();
      return result;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
