package io.leasehold.db.listen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.leasehold.db.DbConfig;
import io.leasehold.db.Notifications.Hearer;
import io.leasehold.db.Secret;
import io.leasehold.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ListenerTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final Duration SOON = Duration.ofSeconds(5);
  private static final Duration A_WHILE = Duration.ofMillis(700);

  private final RecordingHearer hearer = new RecordingHearer();
  private final Listener listener = listener(database.jdbcUrl(), settings -> settings);

  static Listener listener(String jdbcUrl, UnaryOperator<DbConfig.Builder> settings) {
    var secret = new Secret(TestDatabase.PASSWORD);
    return new Listener(settings.apply(DbConfig.of(jdbcUrl, secret, secret)).build(), new Random());
  }

  /** Sends a notification over another connection. */
  static void say(Connection connection, String channel, String said) throws SQLException {
    try (var statement = connection.prepareStatement("SELECT pg_notify(?, ?)")) {
      statement.setString(1, channel);
      statement.setString(2, said);
      statement.execute();
    }
  }

  private static void say(String channel, String said) throws SQLException {
    try (var connection = database.connectAs("leasehold_engine")) {
      say(connection, channel, said);
    }
  }

  private void startAndConnect() {
    listener.hear("leasehold_test", hearer);
    listener.start();
    await().until(() -> hearer.connections() == 1);
  }

  @AfterEach
  void close() {
    listener.close();
  }

  @Test
  void passesNotificationsOn() throws Exception {
    startAndConnect();

    say("leasehold_test", "hello");
    say("leasehold_test", "again");

    assertThat(hearer.next(SOON)).isEqualTo("hello");
    assertThat(hearer.next(SOON)).isEqualTo("again");
  }

  @Test
  void passesEachChannelToItsHearer() throws Exception {
    var other = new RecordingHearer();
    listener.hear("leasehold_other", other);
    startAndConnect();

    say("leasehold_other", "for the other");
    say("leasehold_none", "for none");
    say("leasehold_test", "for this");

    assertThat(hearer.next(SOON)).isEqualTo("for this");
    assertThat(other.next(SOON)).isEqualTo("for the other");
  }

  // The driver alone takes a millisecond more than the statement for each, without exception.
  @Test
  void passesNotificationsOnWithoutDelay() throws Exception {
    startAndConnect();
    var least = Duration.ofHours(1);
    var leastStatement = Duration.ofHours(1);

    try (var connection = database.connectAs("leasehold_engine")) {
      for (int i = 0; i < 200; i++) {
        var begin = System.nanoTime();
        say(connection, "leasehold_test", "x");
        var said = Duration.ofNanos(System.nanoTime() - begin);
        hearer.next(SOON);
        var took = Duration.ofNanos(System.nanoTime() - begin);
        leastStatement = said.compareTo(leastStatement) < 0 ? said : leastStatement;
        least = took.compareTo(least) < 0 ? took : least;
      }
    }

    assertThat(least).isLessThan(leastStatement.plusMillis(1));
  }

  @Test
  void receivesNothingWhenOff() throws Exception {
    var off = listener(database.jdbcUrl(), settings -> settings.notifications(false));
    off.hear("leasehold_test", hearer);

    off.start();
    say("leasehold_test", "hello");

    assertThat(hearer.next(A_WHILE)).isEqualTo("nothing");
    assertThat(hearer.connections()).isZero();
    assertThat(off.areOn()).isFalse();
  }

  @Test
  void usesTheListenUrl() {
    var past =
        listener(
            "jdbc:postgresql://localhost:1/nowhere",
            settings -> settings.listenUrl(database.jdbcUrl()));
    past.hear("leasehold_test", hearer);

    past.start();

    await().until(() -> hearer.connections() == 1);
    past.close();
  }

  @Test
  void continuesAfterAHearerThrew() throws Exception {
    listener.hear("leasehold_failing", new FailingHearer());
    startAndConnect();

    say("leasehold_failing", "x");
    say("leasehold_test", "hello");

    assertThat(hearer.next(SOON)).isEqualTo("hello");
    assertThat(hearer.connections()).isEqualTo(1);
  }

  private static final class FailingHearer implements Hearer {
    @Override
    public void heard(String said) {
      throw new IllegalStateException("cannot hear " + said);
    }

    @Override
    public void connected() {
      throw new IllegalStateException("cannot be connected");
    }
  }

  @Test
  void probesTheServerWithoutNotifications() {
    startAndConnect();

    // The listener heard from the server again, though no notification was sent.
    await().until(() -> listener.silentFor().orElseThrow().compareTo(Duration.ofSeconds(1)) > 0);
    await()
        .atMost(Duration.ofSeconds(3))
        .until(() -> listener.silentFor().orElseThrow().compareTo(Duration.ofSeconds(1)) < 0);
    assertThat(hearer.connections()).isEqualTo(1);
  }

  @Test
  void silenceIsUnknownBeforeTheFirstConnection() {
    assertThat(listener.silentFor()).isEmpty();
  }

  @Test
  void receivesNothingAfterItsStop() throws Exception {
    startAndConnect();

    listener.close();
    say("leasehold_test", "hello");

    assertThat(hearer.next(A_WHILE)).isEqualTo("nothing");
    await().until(() -> sessions() == 0);
  }

  private static int sessions() throws SQLException {
    try (var connection = database.connectAsAdministrator();
        var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'leasehold-listen'"
                    + " AND datname = current_database()")) {
      rows.next();
      return rows.getInt(1);
    }
  }

  @Test
  void receivesNotificationsAfterARestart() throws Exception {
    startAndConnect();

    listener.close();
    listener.start();
    await().until(() -> hearer.connections() == 2);
    say("leasehold_test", "hello");

    assertThat(hearer.next(SOON)).isEqualTo("hello");
  }

  @Test
  void holdsNoTransactionOpen() throws SQLException {
    startAndConnect();

    await().until(() -> sessions() == 1);

    assertThat(openTransactions()).isZero();
  }

  private static int openTransactions() throws SQLException {
    try (var connection = database.connectAsAdministrator();
        var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'leasehold-listen'"
                    + " AND datname = current_database() AND xact_start IS NOT NULL")) {
      rows.next();
      return rows.getInt(1);
    }
  }

  @Test
  void refusesChannelsOfOthers() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> listener.hear("orders", hearer))
        .withMessage("channel must be \"leasehold\" or begin with \"leasehold_\", not \"orders\"");
  }

  @Test
  void refusesASecondHearer() {
    listener.hear("leasehold_test", hearer);

    assertThatIllegalStateException()
        .isThrownBy(() -> listener.hear("leasehold_test", hearer))
        .withMessage("channel leasehold_test is heard already");
  }

  @Test
  void refusesAHearerAfterTheStart() {
    startAndConnect();

    assertThatIllegalStateException()
        .isThrownBy(() -> listener.hear("leasehold_late", hearer))
        .withMessage("channel leasehold_late must be asked for before the start");
  }
}
