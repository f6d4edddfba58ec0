package io.leasehold.engine.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.service.query.OpenService;
import io.leasehold.engine.service.query.Scripted;
import io.leasehold.engine.service.query.Scripted.Deed;
import io.leasehold.engine.service.query.Scripted.Script;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobResult;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.history.EventCursor;
import io.leasehold.jobs.history.JobTask;
import io.leasehold.testkit.TestDatabase;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One tenant holds the service, and knows every id of the other's jobs. */
class JobServiceIsolationTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private final TenantId own = new TenantId(UUID.randomUUID());
  private final TenantId foreign = new TenantId(UUID.randomUUID());
  private final SecurityContext caller = SecurityContext.of("ann", own).build();
  private final SecurityContext reader =
      SecurityContext.of("ann", own).reading(Set.of(foreign)).build();
  private final OpenService service =
      OpenService.on(database, EngineConfig.defaults(), new Scripted.Handlers(new Scripted.Gate()));

  private Connection administrator;
  private Victim victim;

  @BeforeEach
  void store() throws SQLException {
    administrator = database.connectAsAdministrator();
    victim = Victim.of(administrator, foreign);
  }

  @AfterEach
  void close() throws SQLException {
    service.close();
    administrator.close();
  }

  @Test
  void noMethodSeesOrChangesAnotherTenantsJob() throws SQLException {
    requireOutOfReach();
  }

  private void requireOutOfReach() throws SQLException {
    var absent = EveryMethod.answers(service.jobs(), service.transactions(), caller, absent());
    var before = victim.rows();

    for (var job : victim.jobs()) {
      assertThat(EveryMethod.answers(service.jobs(), service.transactions(), caller, job))
          .isEqualTo(absent);
    }

    assertThat(victim.rows()).isEqualTo(before);
    assertThat(absent).hasSizeGreaterThanOrEqualTo(10);
    assertThat(absent.values())
        .allMatch(answer -> answer.startsWith("NotFound") || answer.equals("Optional.empty"));
  }

  @Test
  void theSameCallsSucceedForTheJobsTenant() {
    var owner = SecurityContext.of("bob", foreign).build();

    for (var job : victim.jobs()) {
      assertThat(service.jobs().find(owner, job)).isPresent();
      assertThat(service.jobs().cancel(owner, job).toString()).doesNotStartWith("NotFound");
    }
  }

  @Test
  void listsDoNotShowAnotherTenantsJob() {
    requireUnlisted();
  }

  private void requireUnlisted() {
    for (var status : JobStatus.values()) {
      assertThat(service.jobs().list(caller, JobFilter.newest().status(status)).jobs()).isEmpty();
    }
    for (var job : victim.jobs()) {
      assertThat(service.jobs().list(caller, JobFilter.newest().after(job)).jobs()).isEmpty();
    }
    assertThat(service.jobs().list(caller, JobFilter.newest()).jobs()).isEmpty();
    assertThat(service.jobs().list(caller, JobFilter.newest().correlationId(Victim.CANARY)).jobs())
        .isEmpty();
  }

  @Test
  void aReaderOfATenantCanOnlyRead() throws SQLException {
    requireReadOnly();
  }

  private void requireReadOnly() throws SQLException {
    var before = victim.rows();

    for (var job : victim.jobs()) {
      assertThat(service.jobs().find(reader, job).map(Job::tenant)).contains(foreign);
      assertThat(service.jobs().explain(reader, job)).isPresent();
      assertThat(service.jobs().events(reader, job, EventCursor.BEGIN, 10).orElseThrow().events())
          .anyMatch(event -> event.body().contains(Victim.CANARY));
      assertThat(service.jobs().tasks(reader, job).orElseThrow())
          .extracting(JobTask::error)
          .containsExactly(Optional.of(Victim.CANARY));
      assertThat(service.jobs().result(reader, job, Object.class))
          .isNotInstanceOf(JobResult.NotFound.class);
      var answers = EveryMethod.answers(service.jobs(), service.transactions(), reader, job);
      answers.keySet().removeIf(JobServiceIsolationTest::reads);
      assertThat(answers.values())
          .hasSizeGreaterThanOrEqualTo(8)
          .allMatch(answer -> answer.startsWith("NotFound"));
    }

    assertThat(service.jobs().list(reader, JobFilter.newest()).jobs())
        .extracting(Job::id)
        .containsExactlyInAnyOrderElementsOf(victim.jobs());
    assertThat(victim.rows()).isEqualTo(before);
  }

  private static boolean reads(String method) {
    return Stream.of(
            ".find(",
            ".result(",
            ".explain(",
            ".events(",
            ".tasks(",
            ".await(",
            ".dependencies(",
            ".metadata(")
        .anyMatch(method::contains);
  }

  @Test
  void aSubmissionBelongsToTheCallersOwnTenant() throws SQLException {
    var request = Scripted.ONCE.request(new Script(Deed.RETURN, "x")).key(Victim.KEY);
    var before = victim.rows();

    var ids =
        Stream.of(
                service.jobs().submit(reader, request),
                service
                    .transactions()
                    .asTenant(reader, tx -> service.jobs().submit(tx, request.key("2"))),
                service.jobs().submitAll(reader, List.of(request.key("3")).iterator()).getFirst())
            .map(submission -> submission.jobId())
            .toList();

    assertThat(ids)
        .allSatisfy(
            id ->
                assertThat(service.jobs().find(reader, id).orElseThrow().tenant()).isEqualTo(own));
    assertThat(victim.rows()).isEqualTo(before);
  }

  @Test
  void aKeyOfAnotherTenantIsFree() throws SQLException {
    var owner = SecurityContext.of("bob", foreign).build();
    var request = Scripted.ONCE.request(new Script(Deed.RETURN, "x")).key("2026-10");
    var theirs = service.jobs().submit(owner, request);

    var mine = service.jobs().submit(caller, request);

    assertThat(mine.repeated()).isFalse();
    assertThat(mine.jobId()).isNotEqualTo(theirs.jobId());
  }

  @Test
  void noRequestCanNameATenant() {
    var given =
        Stream.concat(
            Arrays.stream(JobService.class.getMethods())
                .map(Method::getParameterTypes)
                .flatMap(Arrays::stream),
            Stream.of(JobRequest.class, JobType.class, JobFilter.class)
                .map(Class::getRecordComponents)
                .flatMap(Arrays::stream)
                .map(RecordComponent::getType));

    assertThat(given).isNotEmpty().doesNotContain(TenantId.class);
  }

  @Test
  void theFunctionsAreIsolatedWithoutRowLevelSecurityToo() throws SQLException {
    victim.execute(RowLevelSecurity.OFF);
    try {
      requireOutOfReach();
      requireUnlisted();
      requireReadOnly();
    } finally {
      victim.execute(RowLevelSecurity.ON);
    }
  }

  private static JobId absent() {
    return new JobId(UUID.fromString("019a0000-0000-7000-8000-000000000000"));
  }
}
