package io.leasehold.testkit;

import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Module;
import io.leasehold.db.DbConfig;
import io.leasehold.db.Secret;
import io.leasehold.db.SecureDatabase;
import io.leasehold.db.SecureDbModule;
import io.leasehold.db.Transactions;
import io.leasehold.engine.DueJobs;
import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.EngineModule;
import io.leasehold.engine.OutputConfig;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.outputs.JobOutputs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The platform on a test's database, with the modules under test and no worker. Jobs wait until the
 * test runs them, or run inline, right after the commit that submits them.
 *
 * {@snippet :
 * try (var jobs = TestJobs.on(database, new ReportsModule())) {
 *   jobs.service().submit(ann, MonthlyReport.TYPE.request(october));
 *   jobs.assertSubmitted(MonthlyReport.TYPE, october);
 *   jobs.runDue();
 * }
 * }
 *
 * <p>It can see the data of every tenant, and is for tests only. Thread-safe.
 */
public final class TestJobs implements AutoCloseable {

  private final SubmittedJobs submitted;
  private final TestFolder files;
  private final Injector injector;

  private TestJobs(TestDatabase database, EngineConfig.Mode mode, Module... modules) {
    var secret = new Secret(TestDatabase.PASSWORD);
    var all = new ArrayList<>(List.of(modules));
    all.add(
        new SecureDbModule(
            DbConfig.of(database.jdbcUrl(), secret, secret)
                .fsyncRequired(false)
                .notifications(false)
                .build()));
    files = TestFolder.create();
    var outputs = OutputConfig.defaults().folder(files.path());
    all.add(new EngineModule(EngineConfig.defaults().mode(mode).outputs(outputs)));
    submitted = new SubmittedJobs(database);
    injector = Guice.createInjector(all);
    injector.getInstance(SecureDatabase.class).start();
  }

  /** Creates a platform whose jobs wait until {@link #runDue()} runs them. */
  public static TestJobs on(TestDatabase database, Module... modules) {
    return new TestJobs(database, EngineConfig.Mode.WORKERS, modules);
  }

  /**
   * Creates a platform whose jobs run right after the commit that submits them, on the submitting
   * thread, before it continues. Delayed jobs and further attempts run when {@link #runDue()} is
   * called.
   */
  public static TestJobs inline(TestDatabase database, Module... modules) {
    return new TestJobs(database, EngineConfig.Mode.INLINE, modules);
  }

  /** Returns the service that submits jobs and looks them up. */
  public JobService service() {
    return injector.getInstance(JobService.class);
  }

  /** Returns the files that jobs created; they are deleted when this is closed. */
  public JobOutputs outputs() {
    return injector.getInstance(JobOutputs.class);
  }

  /** Returns the database transactions, for any caller. */
  public Transactions transactions() {
    return injector.getInstance(Transactions.class);
  }

  /** Returns an instance of a type that the modules under test bind. */
  public <T> T instance(Class<T> type) {
    return injector.getInstance(type);
  }

  /**
   * Runs the jobs that may run now on this thread, and those that they submit, until there are no
   * more. Time limits are not enforced.
   *
   * @return how many attempts ran
   */
  public int runDue() {
    return injector.getInstance(DueJobs.class).run();
  }

  /**
   * Moves the times of a job back by {@code by}: a job that waits becomes due earlier, a lease
   * expires earlier, and a finished job appears to have ended longer ago.
   *
   * @throws IllegalArgumentException if the job has no time to move, because it may run at once or
   *     does not exist
   */
  public void moveTime(JobId id, Duration by) {
    submitted.moveTime(id, by);
  }

  /** Returns the jobs of a kind that were submitted and not removed since, in their order. */
  public <I> List<SubmittedJob<I>> submitted(JobType<I, ?> type) {
    return submitted.of(type);
  }

  /**
   * Returns the one job of a kind that was submitted with an input.
   *
   * @throws AssertionError if there is none, or more than one; the message lists the existing jobs
   */
  public <I> SubmittedJob<I> assertSubmitted(JobType<I, ?> type, I input) {
    var all = submitted(type);
    var equal = all.stream().filter(job -> job.input().equals(input)).toList();
    if (equal.size() != 1) {
      throw new AssertionError(
          "one job of %s with %s should have been submitted, not %d; there are %s"
              .formatted(type.handler(), input, equal.size(), all));
    }
    return equal.getFirst();
  }

  /**
   * Asserts that no job of a kind was submitted.
   *
   * @throws AssertionError if one was; the message lists the existing jobs
   */
  public void assertNoneSubmitted(JobType<?, ?> type) {
    var all = submitted(type);
    if (!all.isEmpty()) {
      throw new AssertionError(
          "no job of %s should have been submitted; there are %s".formatted(type.handler(), all));
    }
  }

  @Override
  public void close() {
    injector.getInstance(SecureDatabase.class).close();
    files.remove();
  }
}
