package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.engine.service.query.StoredJob;
import io.leasehold.jobs.HandlerId;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryOutcome;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.deadletters.DeadLetterCount;
import io.leasehold.jobs.deadletters.DeadLetters;
import io.leasehold.jobs.deadletters.DiscardOutcome;
import io.leasehold.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

class DeadLettersTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final JobType<String, String> FAILING = Handlers.type("failing");
  private static final JobFilter ALL = JobFilter.newest();

  private final TenantId own = new TenantId(UUID.randomUUID());
  private final TenantId foreign = new TenantId(UUID.randomUUID());
  private final SecurityContext caller = SecurityContext.of("ann", own).build();
  private final SecurityContext reader =
      SecurityContext.of("eve", own).reading(Set.of(foreign)).build();

  /** How often the jobs of the failing handler were begun. */
  private final Map<JobId, Integer> begun = new ConcurrentHashMap<>();

  private final RunningEngine engine =
      RunningEngine.on(
          database,
          EngineConfig.defaults(),
          new Handlers()
              .with(
                  FAILING,
                  (job, input) -> {
                    begun.merge(job.id(), 1, Integer::sum);
                    throw new IllegalStateException("no " + input);
                  }));
  private final DeadLetters deadLetters = engine.deadLetters();
  private Connection administrator;

  @BeforeEach
  void connect() throws SQLException {
    administrator = database.connectAsAdministrator();
  }

  @AfterEach
  void close() throws SQLException {
    engine.close();
    administrator.close();
  }

  private JobId stored(TenantId tenant, JobStatus status, String queue) throws SQLException {
    return StoredJob.of(tenant, Instant.now()).status(status).queue(queue).in(administrator);
  }

  /** One job of each status, of which two are dead. */
  private Map<JobStatus, JobId> oneOfEach(TenantId tenant) throws SQLException {
    var ids = new ConcurrentHashMap<JobStatus, JobId>();
    for (var status : JobStatus.values()) {
      ids.put(status, stored(tenant, status, "elsewhere"));
    }
    return ids;
  }

  private JobStatus status(JobId id) {
    return engine.jobs().find(reader, id).orElseThrow().status();
  }

  private List<JobId> list(SecurityContext who, JobFilter filter) {
    return deadLetters.list(who, filter).jobs().stream().map(Job::id).toList();
  }

  @Test
  void areThoseThatFailedOrTimedOut() throws SQLException {
    var ids = oneOfEach(own);

    assertThat(list(caller, ALL))
        .containsExactlyInAnyOrder(ids.get(JobStatus.FAILED), ids.get(JobStatus.TIMED_OUT));
    assertThat(list(caller, ALL.status(JobStatus.TIMED_OUT)))
        .containsExactly(ids.get(JobStatus.TIMED_OUT));
    assertThat(list(caller, ALL.status(JobStatus.FAILED)))
        .containsExactly(ids.get(JobStatus.FAILED));
    assertThat(list(caller, ALL.queue("reports"))).isEmpty();
  }

  @Test
  void aFilterByAnotherStatusIsRefused() {
    for (var status : JobStatus.values()) {
      if (status != JobStatus.FAILED && status != JobStatus.TIMED_OUT) {
        var filter = ALL.status(status);
        assertThatThrownBy(() -> deadLetters.list(caller, filter))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage("status of dead letters must be failed or timed_out, not " + status.word());
        assertThatThrownBy(() -> deadLetters.retryAll(caller, filter))
            .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> deadLetters.discardAll(caller, filter))
            .isInstanceOf(IllegalArgumentException.class);
      }
    }
  }

  @Test
  void areListedPageByPageTheNewestFirst() throws SQLException {
    var newestFirst = new ArrayList<JobId>();
    for (int i = 0; i < 11; i++) {
      var status = i % 3 == 0 ? JobStatus.TIMED_OUT : JobStatus.FAILED;
      var tenant = i % 2 == 0 ? own : foreign;
      newestFirst.add(
          StoredJob.of(tenant, Instant.now().minusSeconds(i)).status(status).in(administrator));
    }

    var found = new ArrayList<JobId>();
    var filter = Optional.of(ALL.limit(3));
    while (filter.isPresent()) {
      var page = deadLetters.list(reader, filter.get());
      assertThat(page.jobs()).hasSizeLessThanOrEqualTo(3);
      page.jobs().forEach(job -> found.add(job.id()));
      filter = page.next().map(ALL.limit(3)::after);
    }

    assertThat(found).containsExactlyElementsOf(newestFirst);
  }

  @Test
  void areCountedByTenantAndHandlerAndStatus() throws SQLException {
    oneOfEach(own);
    oneOfEach(own);
    oneOfEach(foreign);
    var other = StoredJob.of(own, Instant.now()).status(JobStatus.FAILED).handler("other");
    other.in(administrator);
    var report = new HandlerId(StoredJob.of(own, Instant.now()).handlerId());

    assertThat(deadLetters.counts(caller))
        .containsExactlyInAnyOrder(
            new DeadLetterCount(own, report, JobStatus.FAILED, 2),
            new DeadLetterCount(own, report, JobStatus.TIMED_OUT, 2),
            new DeadLetterCount(own, new HandlerId(other.handlerId()), JobStatus.FAILED, 1));
    assertThat(deadLetters.counts(reader))
        .hasSize(5)
        .contains(new DeadLetterCount(foreign, report, JobStatus.FAILED, 1));
  }

  @Test
  void aDeadLetterIsRetriedLikeAnyJob() throws SQLException {
    var failed = stored(own, JobStatus.FAILED, "elsewhere");
    var succeeded = stored(own, JobStatus.SUCCEEDED, "elsewhere");

    assertThat(deadLetters.retry(caller, failed)).isEqualTo(new RetryOutcome.Queued());
    assertThat(deadLetters.retry(caller, succeeded))
        .isEqualTo(new RetryOutcome.NotNeeded(JobStatus.SUCCEEDED));

    assertThat(status(failed)).isEqualTo(JobStatus.QUEUED);
  }

  @Test
  void allOfTheOwnTenantAreRetriedAndNothingElse() throws SQLException {
    var ids = oneOfEach(own);
    var theirs = oneOfEach(foreign);

    assertThat(deadLetters.retryAll(reader, ALL)).isEqualTo(2);

    ids.forEach(
        (status, id) ->
            assertThat(status(id))
                .isEqualTo(
                    status == JobStatus.FAILED || status == JobStatus.TIMED_OUT
                        ? JobStatus.QUEUED
                        : status));
    theirs.forEach((status, id) -> assertThat(status(id)).isEqualTo(status));
  }

  @Test
  void retryAllFollowsItsFilter() throws SQLException {
    var failed = stored(own, JobStatus.FAILED, "elsewhere");
    var timedOut = stored(own, JobStatus.TIMED_OUT, "elsewhere");
    var otherQueue = stored(own, JobStatus.TIMED_OUT, "other");
    var old = StoredJob.of(own, Instant.now().minus(Duration.ofHours(1)));
    old.status(JobStatus.TIMED_OUT).queue("elsewhere").in(administrator);

    var filter =
        ALL.status(JobStatus.TIMED_OUT)
            .queue("elsewhere")
            .handler(new HandlerId(old.handlerId()))
            .createdAfter(Instant.now().minus(Duration.ofMinutes(1)));
    assertThat(deadLetters.retryAll(caller, filter)).isEqualTo(1);

    assertThat(status(timedOut)).isEqualTo(JobStatus.QUEUED);
    assertThat(List.of(status(failed), status(otherQueue), status(old.id())))
        .containsExactly(JobStatus.FAILED, JobStatus.TIMED_OUT, JobStatus.TIMED_OUT);
    assertThat(deadLetters.discardAll(caller, ALL.correlationId("no such"))).isZero();
  }

  /** More than one batch takes, and each fails again at once, while the others are retried. */
  @Test
  @Timeout(60)
  void aJobThatFailsAgainIsRetriedOncePerCall() {
    var requests = new ArrayList<>(List.of(FAILING.request("0")));
    for (int i = 1; i < 1_200; i++) {
      requests.add(FAILING.request("" + i));
    }
    engine.jobs().submitAll(caller, requests.iterator());
    awaitDead(1_200);

    assertThat(deadLetters.retryAll(caller, ALL.limit(1))).isEqualTo(1_200);

    awaitDead(1_200);
    assertThat(begun.values()).hasSize(1_200).containsOnly(2);
  }

  private void awaitDead(long jobs) {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () ->
                deadLetters.counts(caller).stream().mapToLong(DeadLetterCount::jobs).sum() == jobs
                    && engine.jobs().list(caller, ALL.status(JobStatus.QUEUED)).jobs().isEmpty()
                    && engine.jobs().list(caller, ALL.status(JobStatus.RUNNING)).jobs().isEmpty());
  }

  /** Between the listing of dead letters and this call, another caller may retry a job. */
  @Test
  void aJobThatIsNoLongerADeadLetterIsLeftAsItIs() throws SQLException {
    var ids = oneOfEach(own);
    var scheduled = StoredJob.of(own, Instant.now()).scheduled().in(administrator);
    var all = Stream.concat(ids.values().stream(), Stream.of(scheduled)).toList();

    assertThat(call("retry_all", all))
        .containsExactlyInAnyOrder(
            "" + ids.get(JobStatus.FAILED), "" + ids.get(JobStatus.TIMED_OUT));
    assertThat(call("discard_all", all)).isEmpty();

    assertThat(status(ids.getOrDefault(JobStatus.CANCELLED, scheduled)))
        .isEqualTo(JobStatus.CANCELLED);
    assertThat(engine.jobs().explain(caller, scheduled).orElseThrow().until()).isPresent();
  }

  private List<String> call(String function, List<JobId> ids) throws SQLException {
    var answered = new ArrayList<String>();
    try (var tenants = database.connectAs("leasehold_tenant");
        var statement = tenants.createStatement()) {
      tenants.setAutoCommit(false);
      database.enterTenant(tenants, own.toString());
      var array = "'{%s}'".formatted(String.join(",", ids.stream().map(JobId::toString).toList()));
      var rows =
          statement.executeQuery("SELECT * FROM leasehold.%s(%s)".formatted(function, array));
      while (rows.next()) {
        answered.add(rows.getString(1));
      }
      tenants.commit();
    }
    return answered;
  }

  @Test
  void aDeadLetterIsDiscarded() throws SQLException {
    var ids = oneOfEach(own);
    var theirs = oneOfEach(foreign);

    ids.forEach(
        (status, id) -> {
          var isDead = status == JobStatus.FAILED || status == JobStatus.TIMED_OUT;
          assertThat(deadLetters.discard(reader, id))
              .isEqualTo(
                  isDead ? new DiscardOutcome.Discarded() : new DiscardOutcome.NotDead(status));
          assertThat(engine.jobs().find(caller, id).isPresent()).isEqualTo(!isDead);
        });
    theirs.forEach(
        (status, id) -> {
          assertThat(deadLetters.discard(reader, id)).isEqualTo(new DiscardOutcome.NotFound());
          assertThat(status(id)).isEqualTo(status);
        });
  }

  @Test
  void allOfTheOwnTenantAreDiscardedAndNothingElse() throws SQLException {
    var ids = oneOfEach(own);
    var theirs = oneOfEach(foreign);

    assertThat(deadLetters.discardAll(reader, ALL)).isEqualTo(2);

    assertThat(engine.jobs().list(reader, ALL).jobs())
        .extracting(Job::id)
        .hasSize(ids.size() - 2 + theirs.size())
        .containsAll(theirs.values());
  }

  @Test
  void aFilterWithACursorRetriesOnlyOlderJobs() throws SQLException {
    var older = StoredJob.of(own, Instant.now().minusSeconds(9)).status(JobStatus.FAILED);
    older.in(administrator);
    var newer = stored(own, JobStatus.TIMED_OUT, "elsewhere");

    deadLetters.retryAll(caller, ALL.after(newer));

    assertThat(List.of(status(older.id()), status(newer)))
        .containsExactly(JobStatus.QUEUED, JobStatus.TIMED_OUT);
  }
}
