package io.leasehold.engine.isolation;

import static io.leasehold.engine.HandlerBinder.handlerBinder;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.inject.AbstractModule;
import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.TransactionalJobHandler;
import io.leasehold.db.Transactions;
import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.service.query.OpenService;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobResult;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A handler works for one tenant, and is told every id of the other's jobs. */
class HandlerIsolationTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final TenantId OWN = new TenantId(new UUID(1, 1));
  private static final TenantId FOREIGN = new TenantId(new UUID(1, 2));
  private static final SecurityContext CALLER =
      SecurityContext.of("ann", OWN).reading(List.of(FOREIGN)).build();

  private static final JobType<Known, Found> PLAIN = type("plain");
  private static final JobType<Known, Found> IN_TRANSACTION = type("transactional");

  private static JobType<Known, Found> type(String name) {
    return JobType.restartable(
        "gts.x.core.jobs.handler.v1~acme.isolation.tests.%s.v1".formatted(name),
        Known.class,
        Found.class);
  }

  /** What a handler is told. */
  record Known(List<UUID> jobs) {}

  /** What a handler found out. */
  record Found(String tenant, int readable, int listed, List<String> answers) {}

  /** Tries everything. */
  record Intruder(JobService jobs, Transactions transactions) {

    @Inject
    Intruder {}

    Found tryAll(JobContext job, Known known) {
      var answers =
          known.jobs().stream()
              .map(JobId::new)
              .flatMap(
                  id -> EveryMethod.answers(jobs, transactions, job.caller(), id).values().stream())
              .toList();
      return new Found(
          job.caller().tenant().toString(),
          job.caller().readableTenants().size(),
          (int)
              jobs.list(job.caller(), JobFilter.newest()).jobs().stream()
                  .filter(listed -> listed.tenant().equals(FOREIGN))
                  .count(),
          answers);
    }
  }

  static final class Plain implements JobHandler<Known, Found> {
    private final Intruder intruder;

    @Inject
    Plain(Intruder intruder) {
      this.intruder = intruder;
    }

    @Override
    public Found run(JobContext job, Known known) {
      return intruder.tryAll(job, known);
    }
  }

  static final class InTransaction implements TransactionalJobHandler<Known, Found> {
    private final Intruder intruder;

    @Inject
    InTransaction(Intruder intruder) {
      this.intruder = intruder;
    }

    @Override
    public Found run(ScopedTransaction tx, JobContext job, Known known) {
      return intruder.tryAll(job, known);
    }
  }

  static final class Handlers extends AbstractModule {
    @Override
    protected void configure() {
      bind(Intruder.class);
      handlerBinder(binder()).handle(PLAIN).with(Plain.class);
      handlerBinder(binder()).handle(IN_TRANSACTION).inTransaction(InTransaction.class);
    }
  }

  @Test
  void noHandlerSeesOrChangesAnotherTenantsJob() throws SQLException {
    try (var administrator = database.connectAsAdministrator();
        var service = OpenService.on(database, EngineConfig.defaults(), new Handlers())) {
      var victim = Victim.of(administrator, FOREIGN);
      var known = new Known(victim.jobs().stream().map(JobId::value).toList());
      var before = victim.rows();

      service.start();
      var jobs =
          Stream.of(PLAIN, IN_TRANSACTION)
              .map(type -> service.jobs().submit(CALLER, type.request(known)).jobId())
              .toList();

      for (var job : jobs) {
        await().until(() -> service.jobs().find(CALLER, job).orElseThrow().status().isFinal());
        var result = service.jobs().result(CALLER, job, Found.class);
        assertThat(result).isInstanceOf(JobResult.Succeeded.class);
        requireNothing(requireNonNull(((JobResult.Succeeded<Found>) result).output()));
      }
      assertThat(victim.rows()).isEqualTo(before);
    }
  }

  private static void requireNothing(Found found) {
    assertThat(found.tenant()).isEqualTo(OWN.toString());
    assertThat(found.readable()).isEqualTo(1);
    assertThat(found.listed()).isZero();
    assertThat(found.answers())
        .hasSizeGreaterThan(50)
        .allMatch(answer -> answer.startsWith("NotFound") || answer.equals("Optional.empty"));
  }
}
