package io.leasehold.testkit;

import io.leasehold.embedded.EmbeddedServer;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the server for tests: a given one; otherwise a container if a Docker engine answers;
 * otherwise an embedded one.
 *
 * @param environment see {@link TestDatabase}
 * @param engines where a Docker engine may listen
 */
record ServerChoice(Map<String, String> environment, DockerEngine engines) {

  private static final Logger log = LoggerFactory.getLogger(ServerChoice.class);
  private static final String URL = "LEASEHOLD_TEST_JDBC_URL";
  private static final String USER = "LEASEHOLD_TEST_JDBC_USER";
  private static final String PASSWORD = "LEASEHOLD_TEST_JDBC_PASSWORD";
  private static final String IMAGE = "LEASEHOLD_TEST_IMAGE";
  private static final String NO_IMAGE = "none";

  static ServerChoice ofThisProcess() {
    return new ServerChoice(System.getenv(), DockerEngine.of(System.getenv()));
  }

  TestServer choose() {
    return given().or(this::container).orElseGet(ServerChoice::embedded);
  }

  private Optional<TestServer> given() {
    var user = environment.getOrDefault(USER, EmbeddedServer.SUPERUSER);
    var password = environment.getOrDefault(PASSWORD, "");
    return Optional.ofNullable(environment.get(URL))
        .map(url -> TestServer.at("a given server", url, user, password, () -> {}));
  }

  private Optional<TestServer> container() {
    var image = environment.get(IMAGE);
    if (NO_IMAGE.equals(image) || !engines.answers()) {
      return Optional.empty();
    }
    try {
      return Optional.of(ContainerServer.start(image == null ? ContainerServer.IMAGE : image));
    } catch (RuntimeException e) {
      if (image != null) {
        throw e;
      }
      log.warn(
          "no container of {}, so an embedded server: {}", ContainerServer.IMAGE, e.toString());
      return Optional.empty();
    }
  }

  private static TestServer embedded() {
    var server = EmbeddedServer.temporary(Map.of());
    return TestServer.at(
        "an embedded server",
        server.jdbcUrl("postgres"),
        EmbeddedServer.SUPERUSER,
        server.password(),
        server::close);
  }
}
