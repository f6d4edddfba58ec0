package io.leasehold.plans;

import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.FakeJobContext;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A process that starts a server, says so, and waits to be killed. */
final class LeftServer {

  private static final int WITHOUT_SNAPSHOT = 3;

  private LeftServer() {}

  /** Starts one and kills it, as {@code kill -9} does. */
  static Process start(PostgresConfig config) throws IOException {
    return start(config, "local", config.programs().orElseThrow().toString());
  }

  /** The same, with a container. */
  static Process startContainer(PostgresConfig config) throws IOException {
    return start(config, "container", config.image().orElseThrow());
  }

  /** Starts a server, and kills the process while it takes a snapshot. */
  static Process startAndSnapshot(PostgresConfig config) throws IOException {
    return start(config, "local", config.programs().orElseThrow().toString(), "snapshot");
  }

  /** The same, with a container. */
  static Process startContainerAndSnapshot(PostgresConfig config) throws IOException {
    return start(config, "container", config.image().orElseThrow(), "snapshot");
  }

  private static Process start(PostgresConfig config, String... words) throws IOException {
    var args = new ArrayList<>(List.of(config.folder().toString()));
    args.addAll(List.of(words));
    var process = PlanProcess.start(LeftServer.class, args.toArray(String[]::new));
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
   *     image; {@code snapshot}, if it is to be killed while it takes one
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
    var state = new PostgresRuntime(config).open(job, Optional.empty());
    state.get().ask("CREATE TABLE account ()");
    if (args.length > WITHOUT_SNAPSHOT) {
      state.snapshot(snapshot(job, config.folder().resolveSibling("snapshots")));
    }
    awaitKill();
  }

  private static Snapshot snapshot(JobContext job, Path folder) {
    var store = new DisturbedStore(new FolderStore(folder), 1, LeftServer::awaitKill);
    return new Snapshot(store, new SnapshotKey(job.caller().tenant(), job.id(), "left-1f.1"));
  }

  private static void awaitKill() throws IOException {
    System.out.println("ready");
    while (System.in.read() >= 0) {
      Thread.onSpinWait(); // Until it is killed.
    }
  }
}
