package io.leasehold.plans;

import io.leasehold.jobs.JobType;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.FakeJobContext;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/** A process that starts a server, says so, and waits to be killed. */
final class LeftServer {

  private LeftServer() {}

  /** Starts one and kills it, as {@code kill -9} does. */
  static Process start(PostgresConfig config) throws IOException {
    return start(config, "local", config.programs().orElseThrow().toString());
  }

  /** The same, with a container. */
  static Process startContainer(PostgresConfig config) throws IOException {
    return start(config, "container", config.image().orElseThrow());
  }

  private static Process start(PostgresConfig config, String kind, String what) throws IOException {
    var process = PlanProcess.start(LeftServer.class, config.folder().toString(), kind, what);
    try (var said = process.inputReader()) {
      if (!"ready".equals(said.readLine())) {
        throw new IllegalStateException("the process has no server");
      }
    } finally {
      process.destroyForcibly().onExit().join();
    }
    return process;
  }

  /**
   * Starts the server.
   *
   * @param args the folder; {@code local} and PostgreSQL's programs, or {@code container} and an
   *     image
   */
  public static void main(String... args) throws Exception {
    var job =
        FakeJobContext.of(
            SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build(),
            JobType.restartable(
                "gts.x.core.jobs.handler.v1~acme.tests.plans.left.v1", String.class, String.class));
    var config =
        args[1].equals("local")
            ? PostgresConfig.local(Path.of(args[0]), Path.of(args[2]))
            : PostgresConfig.containers(Path.of(args[0]), args[2]);
    new PostgresRuntime(config).open(job, Optional.empty()).get();
    System.out.println("ready");
    while (System.in.read() >= 0) {
      Thread.onSpinWait(); // Until it is killed.
    }
  }
}
