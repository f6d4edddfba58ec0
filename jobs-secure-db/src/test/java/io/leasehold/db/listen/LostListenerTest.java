package io.leasehold.db.listen;

import static io.leasehold.db.listen.ListenerTest.listener;
import static io.leasehold.db.listen.ListenerTest.say;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.embedded.EmbeddedServer;
import io.leasehold.migrations.MigrationConfig;
import io.leasehold.migrations.Migrator;
import io.leasehold.testkit.TcpProxy;
import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A listener whose connection breaks, or is as good as broken. */
class LostListenerTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final Duration SOON = Duration.ofSeconds(5);

  /** Two seconds until it is asked, three for the answer, and the half of one that a wait takes. */
  private static final Duration NOTICED_WITHIN = Duration.ofMillis(5_500);

  @TempDir private Path folder;

  private final RecordingHearer hearer = new RecordingHearer();
  private TcpProxy proxy;
  private Listener listener;

  @BeforeEach
  void connect() throws IOException {
    proxy = TcpProxy.before(database.jdbcUrl());
    listener = listener(proxy.jdbcUrl(), settings -> settings);
    listener.hear("leasehold_test", hearer);
  }

  @AfterEach
  void close() throws IOException {
    listener.close();
    proxy.close();
  }

  private void start() {
    listener.start();
    await().until(() -> hearer.connections() == 1);
  }

  @Test
  void reconnectsSoonAfterACut() throws Exception {
    start();

    proxy.cutAll();

    await().atMost(Duration.ofSeconds(4)).until(() -> hearer.connections() == 2);
    assertHears();
  }

  @Test
  void reconnectsSoonAfterTheServerEndsItsSession() throws Exception {
    start();

    try (var connection = database.connectAsAdministrator();
        var statement = connection.createStatement()) {
      statement.execute(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
              + " WHERE application_name = 'leasehold-listen' AND datname = current_database()");
    }

    await().atMost(Duration.ofSeconds(4)).until(() -> hearer.connections() == 2);
    assertHears();
  }

  @Test
  void detectsASilentServer() throws Exception {
    start();

    proxy.fallSilent();

    await().until(() -> silence().compareTo(Duration.ofSeconds(3)) > 0);
    await().atMost(NOTICED_WITHIN).until(this::isNotConnected);
    proxy.speakAgain();
    await().atMost(Duration.ofSeconds(9)).until(() -> hearer.connections() == 2);
    assertHears();
  }

  // The old connection is given up while nothing else than its silence tells.
  private boolean isNotConnected() {
    return proxy.connections() > 1;
  }

  private Duration silence() {
    return listener.silentFor().orElseThrow();
  }

  @Test
  void stopsAtOnceWhileTheServerIsSilent() {
    start();
    proxy.fallSilent();

    var begin = System.nanoTime();
    listener.close();

    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(3));
  }

  @Test
  void reconnectsAfterARestartOfTheServer() throws Exception {
    try (var server = EmbeddedServer.in(folder, Map.of())) {
      migrate(server);
      proxy.leadTo(server.jdbcUrl("postgres"));
      var restarted = listener(proxy.jdbcUrl("postgres"), settings -> settings);
      restarted.hear("leasehold_test", hearer);
      listener = restarted;
      start();
    }

    try (var server = EmbeddedServer.in(folder, Map.of())) {
      proxy.leadTo(server.jdbcUrl("postgres"));

      await().atMost(Duration.ofSeconds(15)).until(() -> hearer.connections() == 2);
      try (var connection =
          DriverManager.getConnection(
              server.jdbcUrl("postgres"), EmbeddedServer.SUPERUSER, server.password())) {
        say(connection, "leasehold_test", "hello");
      }
      assertThat(hearer.next(SOON)).isEqualTo("hello");
    }
  }

  private static void migrate(EmbeddedServer server) {
    var passwords =
        Map.of(
            "leasehold_tenant", TestDatabase.PASSWORD, "leasehold_engine", TestDatabase.PASSWORD);
    new Migrator(
            new MigrationConfig(
                server.jdbcUrl("postgres"), EmbeddedServer.SUPERUSER, server.password(), passwords))
        .migrate();
  }

  private void assertHears() throws SQLException, InterruptedException {
    try (var connection = database.connectAs("leasehold_engine")) {
      say(connection, "leasehold_test", "hello");
    }
    assertThat(hearer.next(SOON)).isEqualTo("hello");
  }
}
