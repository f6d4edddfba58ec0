package io.leasehold.migrations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class BrokenConnectionTest {

  @RegisterExtension static final TestServer server = new TestServer();

  private static final String DATABASE = "broken";

  @BeforeEach
  void makeDatabase() throws SQLException {
    server.makeDatabase(DATABASE);
  }

  @AfterEach
  void drop() throws SQLException {
    server.drop(DATABASE);
  }

  @Test
  void closesAConnectionThatCannotBeExamined() throws SQLException {
    try (var administrator = server.administrator(DATABASE)) {
      administrator.run("CREATE ROLE asker LOGIN PASSWORD '" + TestServer.PASSWORD + "'");
      administrator.run("REVOKE EXECUTE ON FUNCTION pg_backend_pid() FROM PUBLIC");

      assertThatThrownBy(new Connections(server.userOf(DATABASE, "asker"))::open)
          .hasMessageContaining("permission denied");

      await()
          .untilAsserted(
              () ->
                  assertThat(
                          administrator.ask(
                              "SELECT pid FROM pg_stat_activity WHERE usename = 'asker'"))
                      .isEmpty());
    }
  }

  @Test
  void closesTheLockOfABrokenConnectionSilently() throws SQLException {
    try (var connection = new Connections(server.administratorOf(DATABASE)).open()) {
      var lock = MigrationLock.of(connection);

      terminate(new Session(connection));

      assertThatCode(lock::close).doesNotThrowAnyException();
    }
  }

  @Test
  void reportsTheFirstErrorOfABrokenConnection() throws SQLException {
    var config = server.administratorOf(DATABASE);
    try (var connection = new Connections(config).open()) {
      terminate(new Session(connection));

      assertThatThrownBy(() -> new ProvideRoles(config).in(connection))
          .hasFieldOrPropertyWithValue("SQLState", "57P01");
    }
  }

  private static void terminate(Session session) throws SQLException {
    var pid = session.ask("SELECT pg_backend_pid()").getFirst();
    try (var administrator = server.administrator("postgres")) {
      administrator.ask("SELECT pg_terminate_backend(%s, 5000)".formatted(pid));
    }
  }
}
