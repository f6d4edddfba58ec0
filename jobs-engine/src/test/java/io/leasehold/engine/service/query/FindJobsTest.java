package io.leasehold.engine.service.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.EngineConfig;
import io.leasehold.jobs.HandlerId;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lists compared with what was stored: every filter, alone and with all others. */
class FindJobsTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final int JOBS = 240;
  private static final int FILTERS = 300;

  private static final List<String> HANDLERS = List.of("report", "import", "mail");
  private static final List<String> QUEUES = List.of("default", "slow");
  private static final List<String> REQUESTS = List.of("request 1", "request 2");
  private static final List<TenantId> TENANTS = List.of(tenant(1), tenant(2), tenant(3));
  private static final SecurityContext ONE = SecurityContext.of("ann", tenant(1)).build();
  private static final SecurityContext TWO =
      SecurityContext.of("ann", tenant(1)).reading(Set.of(tenant(2))).build();

  private static final List<StoredJob> stored = new ArrayList<>();
  private static Instant now = Instant.EPOCH;
  private static Connection administrator;
  private static OpenService service;

  private static TenantId tenant(int n) {
    return new TenantId(new UUID(1, n));
  }

  @BeforeAll
  static void store() throws SQLException {
    now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    administrator = database.connectAsAdministrator();
    service = OpenService.on(database, EngineConfig.defaults());
    var random = new Random(7);
    for (int i = 0; i < JOBS; i++) {
      var job =
          StoredJob.of(TENANTS.get(i % 3), now.minus(Duration.ofMinutes(random.nextInt(4_000))))
              .handler(any(random, HANDLERS))
              .queue(any(random, QUEUES))
              .status(any(random, List.of(JobStatus.values())));
      job = random.nextBoolean() ? job.correlationId(any(random, REQUESTS)) : job;
      job = job.status() == JobStatus.QUEUED && random.nextBoolean() ? job.scheduled() : job;
      job.in(administrator);
      stored.add(job);
    }
  }

  @AfterAll
  static void close() throws SQLException {
    service.close();
    administrator.close();
  }

  private static <T> T any(Random random, List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private static List<JobId> list(SecurityContext caller, JobFilter filter) {
    return service.jobs().list(caller, filter).jobs().stream().map(Job::id).toList();
  }

  /** What the filter says, job by job. */
  private static List<JobId> expected(SecurityContext caller, JobFilter filter) {
    return stored.stream()
        .filter(job -> caller.readableTenants().contains(job.tenant()))
        .filter(job -> is(filter.handler().map(HandlerId::value), job.handlerId()))
        .filter(job -> is(filter.queue(), job.queue()))
        .filter(job -> is(filter.status(), job.status()))
        .filter(
            job ->
                filter.correlationId().isEmpty()
                    || filter.correlationId().equals(job.correlationId()))
        .filter(
            job ->
                filter.createdAfter().isEmpty()
                    || !made(job.id()).isBefore(filter.createdAfter().get()))
        .filter(
            job ->
                filter.createdBefore().isEmpty()
                    || made(job.id()).isBefore(filter.createdBefore().get()))
        .map(StoredJob::id)
        .filter(
            id ->
                filter.after().isEmpty() || id.value().compareTo(filter.after().get().value()) < 0)
        .sorted(Comparator.comparing(JobId::value).reversed())
        .limit(filter.limit())
        .toList();
  }

  private static <T> boolean is(Optional<T> asked, T given) {
    return asked.isEmpty() || asked.get().equals(given);
  }

  private static Instant made(JobId id) {
    return Instant.ofEpochMilli(id.value().getMostSignificantBits() >>> 16);
  }

  private static JobFilter randomFilter(Random random) {
    var filter = JobFilter.newest().limit(1 + random.nextInt(60));
    if (random.nextInt(3) == 0) {
      filter =
          filter.handler(
              new HandlerId(
                  StoredJob.of(tenant(1), now).handler(any(random, HANDLERS)).handlerId()));
    }
    if (random.nextInt(3) == 0) {
      filter = filter.queue(any(random, QUEUES));
    }
    if (random.nextInt(2) == 0) {
      filter = filter.status(any(random, List.of(JobStatus.values())));
    }
    if (random.nextInt(3) == 0) {
      filter = filter.correlationId(any(random, REQUESTS));
    }
    if (random.nextInt(3) == 0) {
      filter = filter.createdAfter(made(any(random, stored).id()));
    }
    if (random.nextInt(3) == 0) {
      filter = filter.createdBefore(made(any(random, stored).id()).plusNanos(random.nextInt(2)));
    }
    return random.nextInt(3) == 0 ? filter.after(any(random, stored).id()) : filter;
  }

  @Test
  void appliesAnyCombinationOfFilters() {
    var random = new Random(11);

    for (int i = 0; i < FILTERS; i++) {
      var filter = randomFilter(random);
      for (var caller : List.of(ONE, TWO)) {
        assertThat(list(caller, filter))
            .as("%s reading %d tenants", filter, caller.readableTenants().size())
            .isEqualTo(expected(caller, filter));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void showsTheStatusOfTheFilter(JobStatus status) {
    var page = service.jobs().list(TWO, JobFilter.newest().status(status));

    assertThat(page.jobs()).isNotEmpty().extracting(Job::status).containsOnly(status);
  }

  @Test
  void instantsOfAFilterAreExact() {
    var job = stored.getFirst();
    var filter = JobFilter.newest();
    var made = made(job.id());

    assertThat(list(ONE, filter.createdAfter(made).createdBefore(made.plusMillis(1))))
        .contains(job.id());
    assertThat(list(ONE, filter.createdAfter(made.plusNanos(1)).limit(200)))
        .doesNotContain(job.id());
    assertThat(list(ONE, filter.createdBefore(made).limit(200))).doesNotContain(job.id());
    assertThat(list(ONE, filter.createdBefore(made.plusNanos(1)).limit(200))).contains(job.id());
  }

  @Test
  void acceptsInstantsOutsideTheRangeOfIds() {
    var filter = JobFilter.newest().limit(200);

    assertThat(list(ONE, filter.createdAfter(Instant.MIN).createdBefore(Instant.MAX)))
        .isEqualTo(expected(ONE, filter));
    assertThat(list(ONE, filter.createdAfter(Instant.MAX))).isEmpty();
    assertThat(list(ONE, filter.createdBefore(Instant.MIN))).isEmpty();
  }

  @Test
  void treatsSqlInAFilterAsText() {
    var filter = JobFilter.newest();

    assertThat(list(ONE, filter.queue("' OR true --"))).isEmpty();
    assertThat(list(ONE, filter.correlationId("%"))).isEmpty();
  }

  @Test
  void showsEveryJobOnceWhileOthersAreSubmitted() throws SQLException {
    var caller = SecurityContext.of("ann", tenant(9)).reading(Set.of(tenant(8))).build();
    var mine = new ArrayList<JobId>();
    for (int i = 0; i < 23; i++) {
      mine.add(StoredJob.of(tenant(8 + i % 2), now.minusSeconds(i)).in(administrator));
    }

    var seen = new ArrayList<JobId>();
    var next = Optional.<JobId>empty();
    do {
      var filter = JobFilter.newest().limit(5);
      var page = service.jobs().list(caller, next.map(filter::after).orElse(filter));
      page.jobs().forEach(job -> seen.add(job.id()));
      next = page.next();
      StoredJob.of(tenant(9), Instant.now()).in(administrator);
    } while (next.isPresent());

    assertThat(seen).isEqualTo(mine);
  }

  @Test
  void endsAfterAFullLastPage() throws SQLException {
    var caller = SecurityContext.of("ann", tenant(7)).build();
    for (int i = 0; i < 4; i++) {
      StoredJob.of(tenant(7), now.minusSeconds(i)).in(administrator);
    }

    var first = service.jobs().list(caller, JobFilter.newest().limit(2));
    var second =
        service.jobs().list(caller, JobFilter.newest().limit(2).after(first.next().orElseThrow()));

    assertThat(second.jobs()).hasSize(2);
    assertThat(second.next()).isEmpty();
  }

  @Test
  void neverShowsTheInput() {
    var page = service.jobs().list(TWO, JobFilter.newest().limit(200));

    assertThat(page.jobs()).hasSizeGreaterThan(100);
    assertThat(page.toString()).doesNotContain("secret input");
  }
}
