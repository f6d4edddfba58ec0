package io.leasehold.engine;

import static io.leasehold.engine.Works.CALLER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.jobs.Cancellation;
import io.leasehold.jobs.Deletion;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobResult;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryOutcome;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.history.EventCursor;
import io.leasehold.jobs.spi.JobInterceptor;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The service that has restartable jobs alone, beside jobs in the same process's memory. */
class RestartableServiceTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final JobType<String, String> STORED = Handlers.type("stored");
  private static final JobType<String, String> IN_MEMORY =
      JobType.inMemory(
          "gts.x.core.jobs.handler.v1~acme.tests.engine.memory.v1", String.class, String.class);

  private final List<String> submitted = new CopyOnWriteArrayList<>();
  private RunningEngine engine;
  private JobService all;
  private JobService restartable;
  private JobId stored;
  private JobId inMemory;

  @BeforeEach
  void oneOfEach() {
    var handlers =
        new Handlers()
            .with(STORED, (job, input) -> input)
            .with(IN_MEMORY, (job, input) -> input)
            .around(new Submitted());
    engine = RunningEngine.on(database, EngineConfig.defaults(), handlers);
    all = engine.jobs();
    restartable = all.restartable();
    stored = end(all, STORED);
    inMemory = end(all, IN_MEMORY);
  }

  @AfterEach
  void stop() {
    engine.close();
  }

  private final class Submitted implements JobInterceptor {
    @Override
    public <I, O> JobRequest<I, O> submitting(SecurityContext caller, JobRequest<I, O> request) {
      submitted.add(request.type().queue());
      return request;
    }
  }

  private static JobId end(JobService jobs, JobType<String, String> type) {
    var id = jobs.submit(CALLER, type.request("x")).jobId();
    assertThat(jobs.await(CALLER, id, Duration.ofSeconds(20)).map(Job::status))
        .contains(JobStatus.SUCCEEDED);
    return id;
  }

  @Test
  void findsStoredJobs() {
    assertThat(restartable.find(CALLER, stored)).isEqualTo(all.find(CALLER, stored)).isPresent();
    assertThat(restartable.result(CALLER, stored, String.class))
        .isEqualTo(all.result(CALLER, stored, String.class));
    assertThat(restartable.events(CALLER, stored, EventCursor.BEGIN, 10)).isPresent();
    assertThat(restartable.list(CALLER, JobFilter.newest()).jobs())
        .extracting(Job::id)
        .contains(stored)
        .doesNotContain(inMemory);
  }

  @Test
  void findsNoInMemoryJobs() {
    assertThat(all.find(CALLER, inMemory)).isPresent();

    assertThat(restartable.find(CALLER, inMemory)).isEmpty();
    assertThat(restartable.explain(CALLER, inMemory)).isEmpty();
    assertThat(restartable.await(CALLER, inMemory, Duration.ZERO)).isEmpty();
    assertThat(restartable.events(CALLER, inMemory, EventCursor.BEGIN, 10)).isEmpty();
    assertThat(restartable.result(CALLER, inMemory, String.class))
        .isInstanceOf(JobResult.NotFound.class);
    assertThat(restartable.cancel(CALLER, inMemory)).isInstanceOf(Cancellation.NotFound.class);
    assertThat(restartable.retry(CALLER, inMemory)).isInstanceOf(RetryOutcome.NotFound.class);
    assertThat(restartable.delete(CALLER, inMemory)).isInstanceOf(Deletion.NotFound.class);
    assertThat(restartable.forceDelete(CALLER, inMemory)).isInstanceOf(Deletion.NotFound.class);
    assertThat(all.find(CALLER, inMemory)).isPresent();
  }

  @Test
  void submitsStoredJobs() {
    submitted.clear();

    end(restartable, STORED);

    assertThat(submitted).containsExactly("stored");
  }

  @Test
  void refusesInMemoryJobs() {
    assertThatThrownBy(() -> restartable.submit(CALLER, IN_MEMORY.request("x")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("restartable ones alone");
  }

  @Test
  void restartableViewOfItIsItself() {
    assertThat(restartable.restartable()).isSameAs(restartable);
  }
}
