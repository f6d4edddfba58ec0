package io.leasehold.engine.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.service.query.OpenService;
import io.leasehold.engine.service.query.Scripted;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.RetryOutcome;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.deadletters.DeadLetterCount;
import io.leasehold.jobs.deadletters.DeadLetters;
import io.leasehold.jobs.deadletters.DiscardOutcome;
import io.leasehold.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One tenant looks after dead letters, and the other's are none of its business. */
class DeadLettersIsolationTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final JobFilter ALL = JobFilter.newest();

  private final TenantId own = new TenantId(UUID.randomUUID());
  private final TenantId foreign = new TenantId(UUID.randomUUID());
  private final SecurityContext caller = SecurityContext.of("ann", own).build();
  private final SecurityContext reader =
      SecurityContext.of("ann", own).reading(Set.of(foreign)).build();
  private final OpenService service =
      OpenService.on(database, EngineConfig.defaults(), new Scripted.Handlers(new Scripted.Gate()));
  private final DeadLetters deadLetters = service.deadLetters();

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
  void anotherTenantsDeadLettersAreNeitherSeenNorChanged() throws SQLException {
    requireOutOfReach();
  }

  @Test
  void theFunctionsAreIsolatedWithoutRowLevelSecurityToo() throws SQLException {
    victim.execute(RowLevelSecurity.OFF);
    try {
      requireOutOfReach();
    } finally {
      victim.execute(RowLevelSecurity.ON);
    }
  }

  private void requireOutOfReach() throws SQLException {
    var before = victim.rows();

    assertThat(deadLetters.list(caller, ALL).jobs()).isEmpty();
    assertThat(deadLetters.counts(caller)).isEmpty();
    assertThat(deadLetters.list(reader, ALL).jobs())
        .extracting(Job::status)
        .containsExactlyInAnyOrder(JobStatus.FAILED, JobStatus.TIMED_OUT);
    assertThat(deadLetters.counts(reader))
        .extracting(DeadLetterCount::tenant)
        .containsExactly(foreign, foreign);
    for (var who : Set.of(caller, reader)) {
      for (var job : victim.jobs()) {
        assertThat(deadLetters.retry(who, job)).isEqualTo(new RetryOutcome.NotFound());
        assertThat(deadLetters.discard(who, job)).isEqualTo(new DiscardOutcome.NotFound());
      }
      assertThat(deadLetters.retryAll(who, ALL)).isZero();
      assertThat(deadLetters.discardAll(who, ALL)).isZero();
    }

    assertThat(victim.rows()).isEqualTo(before);
  }

  @Test
  void theOwnTenantSeesAndChangesThem() {
    var owner = SecurityContext.of("bob", foreign).build();

    // The other one may fail again at once: what it waited for is gone.
    assertThat(deadLetters.retryAll(owner, ALL.status(JobStatus.FAILED))).isEqualTo(1);
    assertThat(deadLetters.discardAll(owner, ALL.status(JobStatus.TIMED_OUT))).isEqualTo(1);
  }

  @Test
  void everyMethodIsTested() {
    assertThat(Arrays.stream(DeadLetters.class.getMethods()).map(method -> method.getName()))
        .containsExactlyInAnyOrder("list", "counts", "retry", "retryAll", "discard", "discardAll");
  }
}
