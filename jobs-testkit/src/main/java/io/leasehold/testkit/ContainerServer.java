package io.leasehold.testkit;

import io.leasehold.embedded.EmbeddedServer;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/** Starts a server in a container. */
final class ContainerServer {

  /** Of the version that the build was asked for. */
  static final String IMAGE = "postgres:" + System.getProperty("leasehold.test.postgres", "18");

  private ContainerServer() {}

  static TestServer start(String image) {
    // Closed by the server that is returned.
    var container =
        new PostgreSQLContainer(DockerImageName.parse(image).asCompatibleSubstituteFor("postgres"));
    container.withUsername(EmbeddedServer.SUPERUSER).withPassword(TestDatabase.PASSWORD);
    container.withDatabaseName("postgres");
    container.start();
    return TestServer.at(
        "a container of " + image,
        container.getJdbcUrl(),
        EmbeddedServer.SUPERUSER,
        TestDatabase.PASSWORD,
        container::stop);
  }
}
