package io.leasehold.plans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.history.EventCursor;
import io.leasehold.jobs.history.JobEvent;
import io.leasehold.jobs.history.JobTask;
import io.leasehold.jobs.history.TaskStatus;
import io.leasehold.plans.process.DeleteFolder;
import io.leasehold.testkit.FakeJobContext;
import io.leasehold.testkit.TestDatabase;
import io.leasehold.testkit.TestJobs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A plan on real servers whose worker processes are killed, between tasks and inside of them: tasks
 * that are finished are not done again, and the result is that of a plan without a kill.
 */
class KilledPlanTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final long SEED = Long.getLong("leasehold.seed", new Random().nextLong());
  private static final int KILLS = "full".equals(System.getProperty("leasehold.proof")) ? 20 : 3;

  /** An attempt says a line when it begins, when a task does, and when its work is done. */
  private static final int LINES_MOST = 6;

  private static final Duration KILLED_WITHIN = Duration.ofMillis(400);
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();

  private final Random random = new Random(SEED);
  private final Map<String, Integer> killedWhere = new TreeMap<>();
  private Path programs;
  private Path folder;
  private TestJobs jobs;

  @BeforeEach
  void prepare() throws Exception {
    Programs.requirePsql();
    programs = Programs.ofServer(database);
    folder = Programs.folder();
    Accounts.prepare(folder);
    jobs = TestJobs.on(database);
  }

  @AfterEach
  void clear() throws IOException {
    if (jobs != null) {
      jobs.close();
      DeleteFolder.delete(folder);
    }
  }

  @Test
  void hasTheResultOfAnUndisturbedPlan() throws Exception {
    var undisturbed = submit();
    disturb(undisturbed, 0);
    var expected = dump(undisturbed);
    var result = result(undisturbed);
    assertThat(expected).contains("account 1|", "done 4|grown to", "account_by_balance");

    var kills = 0;
    while (kills < KILLS) {
      var id = submit();
      var finished = disturb(id, KILLS - kills);
      kills += finished.size();

      assertThat(dump(id)).as("seed %d", SEED).isEqualTo(expected);
      assertThat(result(id)).isEqualTo(result);
      requireNothingDoneAgain(id, finished);
      requireOneStory(id);
    }
    System.out.printf("seed %d: killed %d times: %s%n", SEED, kills, killedWhere);
    assertThat(servers()).isEmpty();
  }

  private JobId submit() {
    return jobs.service().submit(CALLER, Accounts.TYPE.request("in all")).jobId();
  }

  private Job find(JobId id) {
    return jobs.service().find(CALLER, id).orElseThrow();
  }

  private String result(JobId id) {
    assertThat(find(id).status()).isEqualTo(JobStatus.SUCCEEDED);
    return jobs.service().result(CALLER, id, String.class).toString();
  }

  /** Runs a job to its end. Answers which tasks were finished when an attempt was killed. */
  private Map<Integer, Set<String>> disturb(JobId id, int most) throws Exception {
    var finished = new TreeMap<Integer, Set<String>>();
    while (finished.size() < most && !find(id).status().isFinal()) {
      try (var worker = PlanWorker.start(database, folder, programs)) {
        var lines = 1 + random.nextInt(LINES_MOST);
        // One that finds all tasks done, or the job over by the last words of the one before, says
        // less.
        await().atMost(LONG).until(() -> worker.hasSaid(lines) || find(id).status().isFinal());
        LockSupport.parkNanos(random.nextLong(KILLED_WITHIN.toNanos())); // Chance is the point.
        var last = worker.kill();
        if (!find(id).status().isFinal()) {
          killedWhere.merge(last, 1, Integer::sum);
          finished.put(find(id).attempts(), finished(id));
        }
      }
    }
    try (var _ = PlanWorker.start(database, folder, programs)) {
      await().atMost(LONG).until(() -> find(id).status().isFinal());
    }
    return finished;
  }

  /** As the database has it: their outputs are kept. */
  private static Set<String> finished(JobId id) throws SQLException {
    var tasks = new HashSet<String>();
    try (var connection = database.connectAsAdministrator();
        var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT substring(name FROM '^task (.*)-') FROM leasehold.step WHERE id = '%s'"
                    .formatted(id))) {
      while (rows.next()) {
        tasks.add(rows.getString(1));
      }
    }
    return tasks;
  }

  private void requireNothingDoneAgain(JobId id, Map<Integer, Set<String>> finished)
      throws IOException {
    for (var line : Files.readAllLines(Accounts.begun(folder, id.toString()))) {
      var attempt = Integer.parseInt(line.substring(0, line.indexOf(' ')));
      var task = line.substring(line.indexOf(' ') + 1);
      finished.forEach(
          (killed, tasks) -> {
            if (attempt > killed) {
              assertThat(tasks)
                  .as("seed %d: finished in attempt %d, begun in %d", SEED, killed, attempt)
                  .doesNotContain(task);
            }
          });
    }
  }

  private void requireOneStory(JobId id) {
    var events = events(id);
    assertThat(events).extracting(JobEvent::cursor).isSorted().doesNotHaveDuplicates();
    assertThat(events).extracting(JobEvent::attempt).isSorted();
    var story = new TaskStory();
    events.stream()
        .filter(event -> event.kind().equals(JobTask.EVENT))
        .forEach(event -> story.add(event.attempt(), event.body()));
    assertThat(story.faults()).as("seed %d", SEED).isEmpty();
    assertThat(jobs.service().tasks(CALLER, id).orElseThrow())
        .allMatch(
            task -> task.status() == TaskStatus.SUCCEEDED || task.status() == TaskStatus.SKIPPED)
        .extracting(JobTask::id)
        .containsExactly("schema", "load", "word", "double", "thin", "grow", "sum");
  }

  private List<JobEvent> events(JobId id) {
    var all = new ArrayList<JobEvent>();
    var cursor = EventCursor.BEGIN;
    while (true) {
      var page = jobs.service().events(CALLER, id, cursor, 7).orElseThrow();
      all.addAll(page.events());
      cursor = page.next();
      if (page.isOver()) {
        return all;
      }
    }
  }

  /** All rows, and what else there is, in the database that the job left. */
  private String dump(JobId id) throws Exception {
    var store = new FolderStore(folder.resolve("snapshots"));
    var snapshot = new Snapshot(store, new SnapshotKey(CALLER.tenant(), id, onlySnapshot(id)));
    var servers = new PostgresRuntime(PostgresConfig.local(folder.resolve("servers"), programs));
    var state = servers.open(FakeJobContext.of(CALLER, Accounts.TYPE), Optional.of(snapshot));
    try {
      return Dump.of(state.get());
    } finally {
      state.close();
    }
  }

  private String onlySnapshot(JobId id) throws IOException {
    var tenantFolder = folder.resolve("snapshots").resolve(CALLER.tenant().toString());
    try (var names = Files.list(tenantFolder.resolve(id.toString()))) {
      var all =
          names
              .map(name -> name.getFileName().toString())
              .filter(name -> !name.startsWith(".half-"))
              .toList();
      assertThat(all).hasSize(1);
      return all.getFirst();
    }
  }

  private List<ProcessHandle> servers() {
    return ProcessHandle.allProcesses()
        .filter(process -> process.info().commandLine().orElse("").contains(folder.toString()))
        .filter(process -> process.info().command().orElse("").endsWith("/postgres"))
        .toList();
  }
}
