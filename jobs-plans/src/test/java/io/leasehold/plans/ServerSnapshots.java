package io.leasehold.plans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.JobType;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.plans.process.DeleteFolder;
import io.leasehold.testkit.FakeJobContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Snapshots of real servers: what holds of processes and of containers. */
abstract class ServerSnapshots {

  static final Duration LONG = Duration.ofSeconds(60);
  static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();

  private static final Duration STOP_LIMIT = Duration.ofSeconds(6);
  private static final JobType<String, String> TYPE =
      JobType.restartable(
          "gts.x.core.jobs.handler.v1~acme.tests.plans.copied.v1", String.class, String.class);

  final FakeJobContext job = FakeJobContext.of(CALLER, TYPE);
  Path folder;
  FolderStore store;
  PostgresConfig config;

  /** How servers are run; skips the test where they cannot be. */
  abstract PostgresConfig config(Path servers) throws Exception;

  /** The servers or containers that are left. */
  abstract List<String> left() throws Exception;

  /** Starts a process that takes a snapshot, and kills it in the middle. */
  abstract void killDuringASnapshot() throws Exception;

  /** Lets a server's process go on that was halted, if it outlived the server. */
  abstract void release(String pid) throws Exception;

  @BeforeEach
  void prepare() throws Exception {
    Programs.requirePsql();
    var made = Programs.folder();
    try {
      config = config(made.resolve("servers"));
    } finally {
      folder = made;
    }
    store = new FolderStore(folder.resolve("snapshots"));
  }

  @AfterEach
  void deleteFolder() throws IOException {
    DeleteFolder.delete(folder);
  }

  final PlanState<PostgresServer> open(Optional<Snapshot> from) throws Exception {
    return new PostgresRuntime(config).open(job, from);
  }

  final Snapshot snapshot(StateStore in, int number) {
    return new Snapshot(in, new SnapshotKey(CALLER.tenant(), job.id(), "load-1f." + number));
  }

  final List<SnapshotKey> kept() throws IOException {
    return store.kept(CALLER.tenant(), job.id());
  }

  private String log() throws IOException {
    try (var files = Files.find(config.folder(), 2, (path, _) -> path.endsWith("server.log"))) {
      return Files.readString(files.findFirst().orElseThrow());
    }
  }

  /** The checkpointer stands still, so the server cannot stop. Answers which process that is. */
  static String halt(PostgresServer server) throws Exception {
    var pid = server.ask("SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'");
    server.ask("COPY (SELECT 1) TO PROGRAM 'read line; kill -STOP %s'".formatted(pid));
    return pid;
  }

  /** Does something once the server is stopping. */
  final Thread whenStopping(DisturbedStore.Disturbance disturbance) {
    return Thread.ofVirtual()
        .start(
            () -> {
              await().atMost(LONG).until(this::isStopping);
              try {
                disturbance.happen();
              } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
  }

  private boolean isStopping() throws IOException {
    try (var files = Files.find(config.folder(), 3, (path, _) -> path.endsWith("postmaster.pid"))) {
      return Files.readString(files.findFirst().orElseThrow()).contains("stopping");
    }
  }

  /** Three tasks, of which the second may do more. */
  private String run(StateStore in, Task.Action<PostgresServer> more) throws Exception {
    var plan =
        new TaskPlan<String, String, PostgresServer>() {
          @Override
          public List<Task<PostgresServer, ?>> tasks(String input) {
            return List.of(
                Task.doing("make", task -> task.state().ask("CREATE TABLE account (balance int)")),
                Task.doing(
                    "fill",
                    task -> {
                      task.state().ask("INSERT INTO account VALUES (100)");
                      more.run(task);
                    }),
                Task.of("sum", String.class, task -> task.state().ask("TABLE account")));
          }

          @Override
          public String result(String input, TaskOutputs outputs) {
            return outputs.of("sum", String.class);
          }
        };
    return PlanHandler.of(plan, new PostgresRuntime(config), in).run(job, "");
  }

  @Test
  void snapshotIsTheCopyOfAServerThatHasShutDown() throws Exception {
    var first = open(Optional.empty());
    first.get().ask("CREATE TABLE account AS SELECT 100 AS balance");
    first.snapshot(snapshot(store, 1));
    first.close();
    job.nextAttempt();

    var second = open(Optional.of(snapshot(store, 1)));

    assertThat(second.get().ask("TABLE account")).isEqualTo("100");
    assertThat(log()).contains("database system was shut down at").doesNotContain("recovery");
    second.close();
  }

  @Test
  void cancelDuringTheCopyKeepsNothingOfTheTask() {
    var attempt = Thread.currentThread();
    var disturbed =
        new DisturbedStore(
            store,
            2,
            () -> {
              job.cancel();
              attempt.interrupt();
            });

    assertThatThrownBy(() -> run(disturbed, _ -> {})).isInstanceOf(InterruptedException.class);

    requireTheFirstTaskAlone();
  }

  @Test
  void cancelWhileTheServerStopsKeepsNothingOfTheTask() throws Exception {
    var attempt = Thread.currentThread();
    var halted = new CompletableFuture<String>();
    Task.Action<PostgresServer> more =
        task -> {
          halted.complete(halt(task.state()));
          whenStopping(
              () -> {
                job.cancel();
                attempt.interrupt();
              });
        };

    assertThatThrownBy(() -> run(store, more)).isInstanceOf(InterruptedException.class);

    release(halted.join());
    requireTheFirstTaskAlone();
  }

  private void requireTheFirstTaskAlone() {
    assertThat(job.steps()).singleElement().asString().startsWith("task make-");
    assertThat(job.told().getLast().body()).contains("\"task_id\":\"fill\"", "\"cancelled\"");
    assertThat(
            folder.resolve("snapshots/%s/%s".formatted(CALLER.tenant(), job.id())).toFile().list())
        .singleElement()
        .asString()
        .startsWith("make-");
    requireNothingLeft();
  }

  final void requireNothingLeft() {
    await().atMost(LONG).untilAsserted(() -> assertThat(left()).isEmpty());
    assertThat(config.folder()).isEmptyDirectory();
  }

  @Test
  void serverThatDoesNotStopInTimeFailsTheSnapshot() throws Exception {
    config = config.startLimit(STOP_LIMIT);
    var state = open(Optional.empty());
    var pid = halt(state.get());

    assertThatThrownBy(() -> state.snapshot(snapshot(store, 1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not shut down");

    state.abort();
    release(pid);
    assertThat(kept()).isEmpty();
    requireNothingLeft();
  }

  @Test
  void nextAttemptRemovesLeftoversOfAWorkerKilledDuringASnapshot() throws Exception {
    killDuringASnapshot();
    assertThat(config.folder()).isNotEmptyDirectory();

    open(Optional.empty()).close();

    requireNothingLeft();
  }
}
