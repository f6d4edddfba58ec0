package io.leasehold.proofs.stress;

import static io.leasehold.db.TenantTableBinder.tenantTables;
import static io.leasehold.engine.HandlerBinder.handlerBinder;
import static io.leasehold.proofs.stress.Effects.EFFECTS;

import com.google.inject.AbstractModule;
import com.google.inject.Provider;
import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.JobsException;
import java.util.List;
import java.util.Map;

/** Handlers that write in all ways while the database cannot. Each job has one attempt. */
final class OutageJobs extends AbstractModule {

  /** Works, and answers a result that needs room on the disk. */
  static final JobType<Load, String> RESULT = type("result");

  /** Leaves an effect in the transaction that ends the job. */
  static final JobType<Load, String> EFFECT = type("effect");

  /** Tells events, keeps a checkpoint, and does two steps. */
  static final JobType<Load, String> JOURNAL = type("journal");

  /** Submits another job, in a transaction of its own. */
  static final JobType<Load, String> SUBMISSION = type("submission");

  static final List<JobType<Load, String>> ALL = List.of(RESULT, EFFECT, JOURNAL, SUBMISSION);

  /**
   * What to do.
   *
   * @param millis how long the work takes
   * @param characters of the result
   */
  record Load(int millis, int characters) {

    String result() {
      return "x".repeat(characters);
    }
  }

  private static JobType<Load, String> type(String name) {
    return JobType.restartable(
            "gts.x.core.jobs.handler.v1~acme.stress.outage.%s.v1".formatted(name),
            Load.class,
            String.class)
        .queue("outage");
  }

  @Override
  protected void configure() {
    tenantTables(binder()).scoped(EFFECTS);
    Provider<JobService> jobs = binder().getProvider(JobService.class);
    handlerBinder(binder()).handle(RESULT).with((_, load) -> work(load));
    handlerBinder(binder()).handle(EFFECT).inTransaction(OutageJobs::leaveEffect);
    handlerBinder(binder()).handle(JOURNAL).with(OutageJobs::keepJournal);
    handlerBinder(binder())
        .handle(SUBMISSION)
        .with(
            (job, load) -> {
              var result = work(load);
              submit(jobs.get(), job, load);
              return result;
            });
  }

  private static String work(Load load) throws InterruptedException {
    Thread.sleep(load.millis());
    return load.result();
  }

  private static String leaveEffect(ScopedTransaction tx, JobContext job, Load load)
      throws InterruptedException {
    Thread.sleep(load.millis());
    EFFECTS.leave(tx, job, "transactional");
    return load.result();
  }

  private static String keepJournal(JobContext job, Load load) throws Exception {
    job.progress(10, "begun");
    job.step("first", String.class, load::result);
    Thread.sleep(load.millis());
    job.event("half", Map.of("text", load.result()));
    job.checkpoint(load.result());
    return job.step("second", String.class, load::result);
  }

  // The key makes it safe to ask again where the answer to the commit was lost.
  private static void submit(JobService jobs, JobContext job, Load load)
      throws InterruptedException {
    var request = RESULT.request(new Load(0, load.characters())).key("of " + job.id());
    while (true) {
      try {
        jobs.submit(job.caller(), request);
        return;
      } catch (JobsException e) {
        if (e.code() != ErrorCode.OUTCOME_UNKNOWN) {
          throw e;
        }
        Thread.sleep(20);
      }
    }
  }
}
