package io.leasehold.engine.signal.wakeup;

import static io.leasehold.engine.HandlerBinder.handlerBinder;

import com.google.inject.AbstractModule;
import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.TransactionalJobHandler;
import io.leasehold.engine.EngineConfig;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A worker's handlers: each job tells when it began, and waits until it is told to stop. */
final class Work extends AbstractModule {

  static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();

  /** Ends at once. */
  static final JobType<String, String> SHORT =
      JobType.restartable(
              "gts.x.core.jobs.handler.v1~acme.wake.short.job.v1", String.class, String.class)
          .queue("short");

  /** Ends when it is cancelled. */
  static final JobType<String, String> LONG =
      JobType.restartable(
              "gts.x.core.jobs.handler.v1~acme.wake.long.job.v1", String.class, String.class)
          .queue("long");

  /** Fails at the first attempt. */
  static final JobType<String, String> FAILING_ONCE =
      JobType.restartable(
              "gts.x.core.jobs.handler.v1~acme.wake.failing.job.v1", String.class, String.class)
          .queue("short")
          .retry(RetryPolicy.exponential(2));

  /** Works in the transaction that ends it. */
  static final JobType<String, String> IN_TRANSACTION =
      JobType.restartable(
              "gts.x.core.jobs.handler.v1~acme.wake.transactional.job.v1",
              String.class,
              String.class)
          .queue("short");

  private final Began began = new Began(new LinkedBlockingQueue<>());

  /** When jobs began, by the process's clock. */
  record Began(BlockingQueue<Long> at) {}

  /** A configuration with which jobs are not found by looking soon. */
  static EngineConfig patient() {
    return polling(Duration.ofMinutes(1));
  }

  static EngineConfig polling(Duration every) {
    return EngineConfig.defaults().pollEvery(every);
  }

  static JobRequest<String, String> shortJob() {
    return SHORT.request("x");
  }

  static JobRequest<String, String> longJob() {
    return LONG.request("x");
  }

  static JobRequest<String, String> failingOnce() {
    return FAILING_ONCE.request("x");
  }

  static JobRequest<String, String> inTransaction() {
    return IN_TRANSACTION.request("x");
  }

  @Override
  protected void configure() {
    bind(Began.class).toInstance(began);
    handlerBinder(binder()).handle(SHORT).with(ShortJob.class);
    handlerBinder(binder()).handle(LONG).with(LongJob.class);
    handlerBinder(binder()).handle(FAILING_ONCE).with(FailingJob.class);
    handlerBinder(binder()).handle(IN_TRANSACTION).inTransaction(TransactionalJob.class);
  }

  /** How long after that moment the next job began; a day, if it did not in time. */
  Duration next(long since, Duration most) throws InterruptedException {
    var at = began.at.poll(most.toMillis(), TimeUnit.MILLISECONDS);
    return at == null ? Duration.ofDays(1) : Duration.ofNanos(at - since);
  }

  static final class ShortJob implements JobHandler<String, String> {

    private final Began began;

    @Inject
    ShortJob(Began began) {
      this.began = began;
    }

    @Override
    public String run(JobContext job, String input) {
      began.at.add(System.nanoTime());
      return input;
    }
  }

  static final class LongJob implements JobHandler<String, String> {

    private final CountDownLatch never = new CountDownLatch(1);
    private final Began began;

    @Inject
    LongJob(Began began) {
      this.began = began;
    }

    @Override
    public String run(JobContext job, String input) throws InterruptedException {
      began.at.add(System.nanoTime());
      while (!never.await(1, TimeUnit.MILLISECONDS)) {
        job.throwIfCancelled();
      }
      return input;
    }
  }

  static final class FailingJob implements JobHandler<String, String> {
    @Override
    public String run(JobContext job, String input) {
      if (job.attempt() == 1) {
        throw new IllegalStateException("not yet");
      }
      return input;
    }
  }

  static final class TransactionalJob implements TransactionalJobHandler<String, String> {
    @Override
    public String run(ScopedTransaction tx, JobContext job, String input) {
      return input;
    }
  }
}
