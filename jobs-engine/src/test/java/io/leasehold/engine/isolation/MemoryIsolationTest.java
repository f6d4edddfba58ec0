package io.leasehold.engine.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.inject.AbstractModule;
import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.HandlerBinder;
import io.leasehold.engine.service.query.OpenService;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobResult;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.history.EventCursor;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One tenant holds the service, and knows every id of the other's jobs in the same memory. */
class MemoryIsolationTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final JobType<String, String> WORK =
      JobType.inMemory(
          "gts.x.core.jobs.handler.v1~acme.tests.isolation.work.v1", String.class, String.class);

  private final TenantId own = new TenantId(UUID.randomUUID());
  private final TenantId foreign = new TenantId(UUID.randomUUID());
  private final SecurityContext caller = SecurityContext.of("ann", own).build();
  private final SecurityContext reader =
      SecurityContext.of("ann", own).reading(Set.of(foreign)).build();
  private final SecurityContext owner =
      SecurityContext.of("bob", foreign).correlationId(Victim.CANARY).build();
  private final CountDownLatch gate = new CountDownLatch(1);
  private final OpenService service =
      OpenService.on(database, EngineConfig.defaults(), new Working());

  private List<JobId> victims;

  private final class Working extends AbstractModule {
    @Override
    protected void configure() {
      HandlerBinder.handlerBinder(binder())
          .handle(WORK)
          .with(
              (job, input) -> {
                job.progress(50, Victim.CANARY);
                switch (input) {
                  case "run" -> gate.await();
                  case "fail" -> throw new IllegalStateException(Victim.CANARY);
                  default -> {}
                }
                return Victim.CANARY;
              });
    }
  }

  /** A job at every place in a job's life. */
  @BeforeEach
  void submit() {
    service.start();
    victims =
        List.of(
            theirs("run", Duration.ZERO),
            theirs("fail", Duration.ZERO),
            theirs("return", Duration.ZERO),
            theirs("cancelled", Duration.ofHours(1)),
            theirs("later", Duration.ofHours(1)));
    service.jobs().cancel(owner, victims.get(3));
    await()
        .until(
            () -> seen().stream().map(Job::status).toList(),
            List.of(
                    JobStatus.RUNNING,
                    JobStatus.FAILED,
                    JobStatus.SUCCEEDED,
                    JobStatus.CANCELLED,
                    JobStatus.QUEUED)
                ::equals);
    await().until(() -> seen().getFirst().progress().isPresent());
  }

  private JobId theirs(String input, Duration delay) {
    return service.jobs().submit(owner, WORK.request(input).key(input).delay(delay)).jobId();
  }

  private List<Job> seen() {
    return victims.stream().map(id -> service.jobs().find(owner, id).orElseThrow()).toList();
  }

  @AfterEach
  void close() {
    gate.countDown();
    service.close();
  }

  @Test
  void noMethodSeesOrChangesAnotherTenantsJob() {
    var absent =
        EveryMethod.answers(
            service.jobs(), service.transactions(), caller, new JobId(UUID.randomUUID()));
    var before = seen();

    for (var job : victims) {
      assertThat(EveryMethod.answers(service.jobs(), service.transactions(), caller, job))
          .isEqualTo(absent);
    }

    assertThat(absent.toString()).doesNotContain(Victim.CANARY);
    assertThat(seen()).isEqualTo(before);
  }

  @Test
  void theSameCallsSucceedForTheJobsTenant() {
    for (var job : victims) {
      assertThat(service.jobs().find(owner, job)).isPresent();
      assertThat(service.jobs().events(owner, job, EventCursor.BEGIN, 10)).isPresent();
      assertThat(service.jobs().await(owner, job, Duration.ZERO)).isPresent();
      assertThat(service.jobs().cancel(owner, job).toString()).doesNotStartWith("NotFound");
    }
    assertThat(seen().toString()).contains(Victim.CANARY);
  }

  @Test
  void listsDoNotShowAnotherTenantsJob() {
    assertThat(service.jobs().list(caller, JobFilter.newest()).jobs()).isEmpty();
    assertThat(service.jobs().list(caller, JobFilter.newest().correlationId(Victim.CANARY)).jobs())
        .isEmpty();
    assertThat(service.jobs().list(caller, JobFilter.newest().after(victims.getLast())).jobs())
        .isEmpty();
  }

  @Test
  void aReaderOfATenantCanOnlyRead() {
    var before = seen();

    assertThat(service.jobs().list(reader, JobFilter.newest()).jobs())
        .extracting(Job::id)
        .containsExactlyElementsOf(victims.reversed());
    for (var job : victims) {
      assertThat(service.jobs().find(reader, job).map(Job::tenant)).contains(foreign);
      assertThat(service.jobs().result(reader, job, Object.class))
          .isNotInstanceOf(JobResult.NotFound.class);
      assertThat(service.jobs().cancel(reader, job).toString()).startsWith("NotFound");
      assertThat(service.jobs().retry(reader, job).toString()).startsWith("NotFound");
      assertThat(service.jobs().delete(reader, job).toString()).startsWith("NotFound");
      assertThat(service.jobs().forceDelete(reader, job).toString()).startsWith("NotFound");
    }

    assertThat(seen()).isEqualTo(before);
  }

  @Test
  void aKeyOfAnotherTenantIsFree() {
    assertThat(service.jobs().submit(caller, WORK.request("return").key("return")).repeated())
        .isFalse();
  }
}
