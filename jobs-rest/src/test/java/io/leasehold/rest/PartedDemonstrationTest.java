package io.leasehold.rest;

import io.leasehold.embedded.EmbeddedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The same with a process that serves the API alone, and another that does the rest. */
class PartedDemonstrationTest extends DemonstrationSuite {

  @TempDir private static Path folder;

  private static EmbeddedServer database;
  private static ServedProgram api;
  private static ServedProgram worker;

  @BeforeAll
  static void start() throws IOException {
    database = EmbeddedServer.in(folder.resolve("given"), Map.of());
    api = start("api");
    worker = start("worker,maintenance");
  }

  @AfterAll
  static void stop() {
    worker.close();
    api.close();
    database.close();
  }

  @Override
  ServedProgram served() {
    return api;
  }

  /** Both know the development issuer by the folder that they share. */
  private static ServedProgram start(String roles) throws IOException {
    return ServedProgram.start(
        Files.createDirectory(folder.resolve(roles)),
        TopologyTest.given(database, "postgres"),
        "--data",
        folder.resolve("shared").toString(),
        "--demo",
        "--dev-issuer",
        "--roles",
        roles);
  }
}
