package io.leasehold.testkit;

import io.leasehold.embedded.EmbeddedServer;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/** Starts a server in a container. */
final class ContainerServer {

  /** The image for the version that the build requested. */
  static final String IMAGE = "postgres:" + System.getProperty("leasehold.test.postgres", "18");

  private static final int PORT = PostgreSQLContainer.POSTGRESQL_PORT;

  private ContainerServer() {}

  static TestServer start(String image) {
    // Closed by the returned server.
    var container =
        new PostgreSQLContainer(DockerImageName.parse(image).asCompatibleSubstituteFor("postgres"));
    container.withUsername(EmbeddedServer.SUPERUSER).withPassword(TestDatabase.PASSWORD);
    container.withDatabaseName("postgres");
    container.start();
    return TestServer.at(
        "a container of " + image,
        "jdbc:postgresql://%s:%d/postgres"
            .formatted(container.getHost(), container.getMappedPort(PORT)),
        EmbeddedServer.SUPERUSER,
        TestDatabase.PASSWORD,
        container::stop);
  }
}
