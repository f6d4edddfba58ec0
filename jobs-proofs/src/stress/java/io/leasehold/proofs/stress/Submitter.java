package io.leasehold.proofs.stress;

import com.google.inject.Guice;
import com.google.inject.Injector;
import io.leasehold.db.DbConfig;
import io.leasehold.db.Secret;
import io.leasehold.db.SecureDatabase;
import io.leasehold.db.SecureDbModule;
import io.leasehold.db.Transactions;
import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.EngineModule;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.Submission;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.batches.Batches;
import io.leasehold.jobs.history.EventCursor;
import io.leasehold.jobs.history.EventPage;
import io.leasehold.jobs.schedules.ScheduleRequest;
import io.leasehold.jobs.schedules.Schedules;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A process that submits and runs nothing. */
final class Submitter implements AutoCloseable {

  static final int TENANTS = 10;

  private final Injector injector;

  Submitter(String jdbcUrl) {
    var secret = new Secret(StressServer.PASSWORD);
    injector =
        Guice.createInjector(
            new SecureDbModule(DbConfig.of(jdbcUrl, secret, secret).build()),
            new EngineModule(EngineConfig.defaults()),
            new StressJobs(),
            new WatchfulJobs(),
            new ClockJobs(),
            new StepJobs(),
            new ToldJobs(),
            new BuildJobs(),
            new FatefulJobs(),
            new OutageJobs());
    injector.getInstance(SecureDatabase.class).start();
  }

  /**
   * Submits for a tenant, as often as it takes: each request should have a key, so that none is
   * doubled.
   */
  List<Submission> submit(int tenant, List<? extends JobRequest<?, ?>> requests) {
    while (true) {
      try {
        return injector
            .getInstance(JobService.class)
            .submitAll(caller(tenant), requests.iterator());
      } catch (JobsException e) {
        Thread.onSpinWait(); // The server is down, and will come back.
      }
    }
  }

  /** Puts a tenant's schedule. */
  void put(int tenant, ScheduleRequest request) {
    injector.getInstance(Schedules.class).put(caller(tenant), request);
  }

  /** Submits runs of a configuration, and its build if there is none, in one transaction. */
  void submitRuns(Builds.Asked asked, int millis) {
    var jobs = injector.getInstance(JobService.class);
    var build =
        BuildJobs.BUILD.request(asked.configuration()).key(asked.configuration().name()).reuse();
    injector
        .getInstance(Transactions.class)
        .asTenant(
            caller(0),
            tx -> {
              var id = jobs.submit(tx, build).jobId();
              var run = BuildJobs.RUN.request(new BuildJobs.Run(id, millis)).after(id);
              return jobs.submitAll(tx, Collections.nCopies(asked.runs(), run).iterator());
            });
  }

  /**
   * Submits a job and one that waits for it, one that reuses an earlier job and one that waits for
   * that, and a batch of two with a callback.
   */
  void submitFamily(int number, StressJobs.Work work) {
    var jobs = injector.getInstance(JobService.class);
    var request = StressJobs.PLAIN.request(work);
    var reuse = request.key("reused " + number / 10).reuse();
    var caller = caller(number);
    injector
        .getInstance(Transactions.class)
        .asTenant(
            caller,
            tx -> {
              jobs.submit(tx, request.after(jobs.submit(tx, request).jobId()));
              return jobs.submit(tx, request.after(jobs.submit(tx, reuse).jobId()));
            });
    injector
        .getInstance(Batches.class)
        .submit(caller, List.of(request, request).iterator(), request);
  }

  /** Finds a tenant's job. */
  Optional<Job> find(int tenant, JobId id) {
    return injector.getInstance(JobService.class).find(caller(tenant), id);
  }

  /** Reads some of the history of a tenant's job. */
  EventPage events(int tenant, JobId id, EventCursor after, int limit) {
    return injector
        .getInstance(JobService.class)
        .events(caller(tenant), id, after, limit)
        .orElseThrow();
  }

  /** Cancels, retries, deletes, or deletes by force, unless the server is down. */
  void disturb(int tenant, JobId id, int how) {
    var jobs = injector.getInstance(JobService.class);
    try {
      switch (how) {
        case 0 -> jobs.cancel(caller(tenant), id);
        case 1 -> jobs.retry(caller(tenant), id);
        case 2 -> jobs.delete(caller(tenant), id);
        default -> jobs.forceDelete(caller(tenant), id);
      }
    } catch (JobsException e) {
      Thread.onSpinWait(); // Another job is disturbed next.
    }
  }

  static TenantId tenant(int number) {
    return new TenantId(new UUID(7, number % TENANTS));
  }

  private static SecurityContext caller(int tenant) {
    return SecurityContext.of("stress", tenant(tenant)).build();
  }

  @Override
  public void close() {
    injector.getInstance(SecureDatabase.class).close();
  }
}
