package io.leasehold.plans;

import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A plan that writes down which snapshots there are when each of its tasks begins. */
final class Ledger implements TaskPlan<String, String, PostgresServer> {

  static final JobType<String, String> TYPE =
      JobType.restartable(
              "gts.x.core.jobs.handler.v1~acme.tests.plans.ledger.v1", String.class, String.class)
          .queue("plans")
          .retry(RetryPolicy.exponential(10).first(Duration.ofMillis(10)));

  /** The input of a job whose first attempt stays in its last task until it is killed. */
  static final String HELD = "held";

  private final Path folder;
  private final FolderStore store;

  /**
   * Of one folder.
   *
   * @param folder where it writes down what it begins
   */
  Ledger(Path folder, FolderStore store) {
    this.folder = folder;
    this.store = store;
  }

  /** What was begun: the attempt, the task, and the tasks whose snapshots there were. */
  static List<String> begun(Path folder, String job) throws IOException {
    var file = folder.resolve("ledger-" + job);
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  /** The tasks after which the snapshots were taken that are kept. */
  static List<String> snapshots(List<SnapshotKey> kept) {
    return kept.stream().map(key -> key.output().replaceFirst("-.*", "")).sorted().toList();
  }

  @Override
  public List<Task<PostgresServer, ?>> tasks(String input) {
    return List.of(
        doing("make", "CREATE TABLE entry (amount int)"),
        doing("fill", "INSERT INTO entry VALUES (100)"),
        Task.<PostgresServer>doing("mail", this::begin).outside(),
        Task.of("sum", String.class, task -> sum(task, input)));
  }

  private Task<PostgresServer, Boolean> doing(String id, String sql) {
    return Task.doing(
        id,
        task -> {
          begin(id, task);
          task.state().ask(sql);
        });
  }

  private void begin(TaskContext<PostgresServer> task) throws IOException {
    begin("mail", task);
  }

  private void begin(String id, TaskContext<PostgresServer> task) throws IOException {
    var kept = snapshots(store.kept(task.caller().tenant(), task.job()));
    Files.writeString(
        folder.resolve("ledger-" + task.job()),
        "%d %s %s%n".formatted(task.attempt(), id, kept),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private String sum(TaskContext<PostgresServer> task, String input) throws Exception {
    begin("sum", task);
    while (input.equals(HELD) && task.attempt() == 1) {
      LockSupport.parkNanos(Duration.ofSeconds(1).toNanos()); // Until its process is killed.
    }
    return task.state().ask("SELECT sum(amount) FROM entry");
  }

  @Override
  public String result(String input, TaskOutputs outputs) {
    return outputs.of("sum", String.class);
  }
}
