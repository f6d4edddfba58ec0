package io.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.embedded.EmbeddedServer;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ServerChoiceTest {

  @Test
  void usesTheGivenServer() throws Exception {
    try (var server = EmbeddedServer.temporary(Map.of())) {
      var environment =
          Map.of(
              "LEASEHOLD_TEST_JDBC_URL", server.jdbcUrl("postgres"),
              "LEASEHOLD_TEST_JDBC_USER", EmbeddedServer.SUPERUSER,
              "LEASEHOLD_TEST_JDBC_PASSWORD", server.password());

      try (var run = TestRun.on(choice(environment).choose())) {
        assertThat(run.server().kind()).isEqualTo("a given server");
        assertThat(canConnect(run)).isTrue();
      }
    }
  }

  @Test
  void startsAnEmbeddedServerByDefault() throws Exception {
    try (var run = TestRun.on(choice(Map.of()).choose())) {
      assertThat(run.server().kind()).isEqualTo("an embedded server");
      assertThat(canConnect(run)).isTrue();
    }
  }

  @Test
  void stopsAServerThatCannotBeUsed() {
    var stopped = new AtomicBoolean();
    var url = "jdbc:postgresql://localhost:1/none";
    var server = TestServer.at("a server", url, "nobody", "", () -> stopped.set(true));

    assertThatThrownBy(() -> TestRun.on(server)).hasMessageStartingWith("cannot use a server at ");

    assertThat(stopped).isTrue();
  }

  @Test
  void refusesOtherDatabases() {
    var environment = Map.of("LEASEHOLD_TEST_JDBC_URL", "jdbc:h2:mem:");

    assertThatThrownBy(() -> choice(environment).choose())
        .hasMessageContaining("must be jdbc:postgresql://host:port/database, not jdbc:h2:mem:");
  }

  @Test
  void keepsParametersOfTheGivenUrl() {
    var environment =
        new HashMap<>(Map.of("LEASEHOLD_TEST_JDBC_URL", "jdbc:postgresql://db/main?ssl=true"));

    var server = choice(environment).choose();

    assertThat(server.jdbcUrl("copy")).isEqualTo("jdbc:postgresql://db/copy?ssl=true");
  }

  private static ServerChoice choice(Map<String, String> environment) {
    return new ServerChoice(environment, new DockerEngine(List.of()));
  }

  private static boolean canConnect(TestRun run) throws SQLException {
    try (var connection = run.server().connect(run.template().copy())) {
      return connection.isValid(1);
    }
  }
}
