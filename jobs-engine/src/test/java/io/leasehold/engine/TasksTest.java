package io.leasehold.engine;

import static io.leasehold.engine.Works.CALLER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.history.JobTask;
import io.leasehold.jobs.history.TaskStatus;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How tasks fare is read from what a job tells of them, whatever it tells. */
class TasksTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final RetryPolicy TWICE = RetryPolicy.exponential(2).first(Duration.ofMillis(10));
  private static final JobType<String, String> STORED = Handlers.type("tasks").retry(TWICE);
  private static final JobType<String, String> IN_MEMORY =
      JobType.inMemory(
              "gts.x.core.jobs.handler.v1~acme.tests.engine.tasks_in_memory.v1",
              String.class,
              String.class)
          .retry(TWICE);

  private final Works works = new Works();
  private final RunningEngine engine =
      RunningEngine.on(
          database,
          EngineConfig.defaults(),
          new Handlers().with(STORED, works).with(IN_MEMORY, works));

  enum Kind {
    STORED,
    IN_MEMORY;

    private JobType<String, String> type() {
      return this == STORED ? TasksTest.STORED : TasksTest.IN_MEMORY;
    }
  }

  @AfterEach
  void stop() {
    engine.close();
  }

  private JobId done(Kind kind, JobHandler<String, String> work) {
    var id = engine.jobs().submit(CALLER, kind.type().request(works.of(work))).jobId();
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> find(id) == JobStatus.SUCCEEDED || find(id) == JobStatus.FAILED);
    return id;
  }

  private JobStatus find(JobId id) {
    return engine.jobs().find(CALLER, id).orElseThrow().status();
  }

  private List<JobTask> tasks(JobId id) {
    return engine.jobs().tasks(CALLER, id).orElseThrow();
  }

  private static void tell(JobContext job, String task, int position, String status) {
    job.event(
        JobTask.EVENT, Map.of("task_id", task, "position", position, "status", status, "of", 2));
  }

  @ParameterizedTest
  @EnumSource
  void areInTheOrderOfThePlanWithTheirLastStatus(Kind kind) {
    var id =
        done(
            kind,
            (job, input) -> {
              if (job.attempt() == 1) {
                tell(job, "load", 1, "pending");
                tell(job, "count", 2, "pending");
                tell(job, "load", 1, "succeeded");
                tell(job, "count", 2, "running");
                throw new IllegalStateException("no paper");
              }
              tell(job, "count", 2, "succeeded");
              tell(job, "load", 1, "skipped");
              return "done";
            });

    assertThat(tasks(id)).extracting(JobTask::id).containsExactly("load", "count");
    assertThat(tasks(id))
        .extracting(JobTask::status)
        .containsExactly(TaskStatus.SKIPPED, TaskStatus.SUCCEEDED);
    assertThat(tasks(id)).extracting(JobTask::attempt).containsOnly(2);
    assertThat(tasks(id)).extracting(JobTask::position).containsExactly(1, 2);
  }

  @ParameterizedTest
  @EnumSource
  void areThoseOfThePlanThatTheLastAttemptHad(Kind kind) {
    var id =
        done(
            kind,
            (job, input) -> {
              if (job.attempt() == 1) {
                tell(job, "load", 1, "succeeded");
                tell(job, "count", 2, "failed");
                throw new IllegalStateException("no paper");
              }
              tell(job, "load", 1, "skipped");
              tell(job, "sum", 2, "succeeded");
              return "done";
            });

    assertThat(tasks(id)).extracting(JobTask::id).containsExactly("load", "sum");
  }

  @ParameterizedTest
  @EnumSource
  void areReplacedOnceTheNextAttemptHasReportedItsPlan(Kind kind) {
    var id =
        done(
            kind,
            (job, input) -> {
              if (job.attempt() == 1) {
                tell(job, "load", 1, "succeeded");
                tell(job, "count", 2, "failed");
                throw new IllegalStateException("no paper");
              }
              tell(job, "load", 1, "skipped");
              return "done";
            });

    assertThat(tasks(id)).extracting(JobTask::id).containsExactly("load", "count");
  }

  @ParameterizedTest
  @EnumSource
  void haveTheirSnapshotsAndErrors(Kind kind) {
    var id =
        done(
            kind,
            (job, input) -> {
              var load =
                  Map.of(
                      "task_id", "load", "position", 1, "status", "succeeded", "snapshot", "l-1");
              var count =
                  Map.of(
                      "task_id", "count", "position", 2, "status", "failed", "error", "C:\\users");
              job.event(JobTask.EVENT, load);
              job.event(JobTask.EVENT, count);
              return "done";
            });

    assertThat(tasks(id))
        .extracting(JobTask::snapshot, JobTask::error)
        .containsExactly(
            tuple(Optional.of("l-1"), Optional.empty()),
            tuple(Optional.empty(), Optional.of("C:\\users")));
  }

  @ParameterizedTest
  @EnumSource
  void areEmptyForAJobWithoutTaskEvents(Kind kind) {
    assertThat(tasks(done(kind, (job, input) -> "done"))).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void ignoreInvalidTaskEvents(Kind kind) {
    var id =
        done(
            kind,
            (job, input) -> {
              for (var body :
                  List.of(
                      "load",
                      7,
                      List.of("load"),
                      Map.of(),
                      Map.of("task_id", "load"),
                      Map.of("task_id", "load", "status", "lost"),
                      Map.of("task_id", "../load", "status", "failed"),
                      Map.of("task_id", List.of("load"), "status", "failed"),
                      Map.of("task_id", "a\0b", "status", "failed"),
                      Map.of("status", "failed"))) {
                job.event(JobTask.EVENT, body);
              }
              job.event("log", Map.of("task_id", "load", "status", "failed"));
              job.event(
                  JobTask.EVENT, Map.of("task_id", "last", "status", "failed", "position", "2nd"));
              return "done";
            });

    assertThat(tasks(id)).extracting(JobTask::id).containsExactly("last");
    assertThat(tasks(id)).extracting(JobTask::position).containsExactly(0);
  }
}
