package io.leasehold.db.listen;

import io.leasehold.db.DbConfig;
import io.leasehold.db.schema.Routines;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Properties;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connection that receives notifications. None of its waits is unlimited. */
final class ListeningConnection implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(ListeningConnection.class);

  private static final Duration WAIT = Duration.ofMillis(500);
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(3);

  private final Connection connection;
  private final PGConnection notified;
  private final DSLContext dsl;

  private ListeningConnection(Connection connection) throws SQLException {
    this.connection = connection;
    this.notified = connection.unwrap(PGConnection.class);
    this.dsl = DSL.using(connection, SQLDialect.POSTGRES);
  }

  static ListeningConnection open(DbConfig config) throws SQLException {
    var properties = new Properties();
    properties.setProperty("user", config.engineUser());
    properties.setProperty("password", config.enginePassword().reveal());
    properties.setProperty("ApplicationName", "leasehold-listen");
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("connectTimeout", seconds(config.connectTimeout()));
    properties.setProperty("socketTimeout", seconds(ANSWER_WITHIN));
    properties.setProperty("socketFactory", PromptSockets.class.getName());
    return new ListeningConnection(DriverManager.getConnection(config.listenUrl(), properties));
  }

  // At least one second, since zero would mean no limit.
  private static String seconds(Duration limit) {
    return Long.toString(Math.max(1, limit.plusMillis(999).toSeconds()));
  }

  void subscribe(Collection<String> channels) {
    channels.forEach(channel -> Routines.listen(dsl.configuration(), channel));
  }

  /** Returns the notifications that arrived, after a limited wait; empty if there were none. */
  List<PGNotification> hear() throws SQLException {
    var heard = notified.getNotifications(Math.toIntExact(WAIT.toMillis()));
    return heard == null ? List.of() : List.of(heard);
  }

  /**
   * Checks that the server answers, and that the session is still the one that subscribed.
   *
   * @throws SQLException if it does not answer, or the session is another one
   */
  void check(Collection<String> channels) throws SQLException {
    var listening = DSL.function(DSL.name("pg_listening_channels"), String.class);
    var subscribed = dsl.select(listening).fetch(listening);
    if (!subscribed.containsAll(channels)) {
      throw new SQLNonTransientConnectionException(
          "the session listens to %s, and not to %s".formatted(subscribed, channels));
    }
  }

  /** Breaks the connection, even while another thread is using it. */
  void abort() {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException e) {
      log.debug("the listening connection was broken already", e);
    }
  }

  // The connection is broken instead of closed, since a regular close could wait for a server that
  // is gone.
  @Override
  public void close() {
    abort();
  }
}
