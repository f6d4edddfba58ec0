package io.leasehold.engine.inmemory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.multibindings.Multibinder;
import io.leasehold.db.EngineWork;
import io.leasehold.db.TenantWork;
import io.leasehold.db.TransactionOptions;
import io.leasehold.db.TransactionalJobInterceptor;
import io.leasehold.db.Transactions;
import io.leasehold.engine.inmemory.MemoryJob.Life;
import io.leasehold.engine.inmemory.state.AskedJob;
import io.leasehold.engine.inmemory.state.MemoryClock;
import io.leasehold.engine.inmemory.state.MemoryHistory;
import io.leasehold.engine.inmemory.state.MemoryTerms;
import io.leasehold.engine.inmemory.state.Places;
import io.leasehold.engine.metrics.JobMeters;
import io.leasehold.engine.metrics.Measuring;
import io.leasehold.engine.work.handlers.HandlerRegistry;
import io.leasehold.engine.work.handlers.RegisteredHandler;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.TenantTransaction;
import io.leasehold.jobs.spi.JobInterceptor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jooq.JSON;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MemoryWorkerTest {

  private static final JobType<String, String> ECHO =
      JobType.inMemory(
              "gts.x.core.jobs.handler.v1~acme.tests.memory.echo.v1", String.class, String.class)
          .retry(RetryPolicy.exponential(3).first(Duration.ofMillis(1)));
  private static final RegisteredHandler<String, String> HANDLER =
      new RegisteredHandler.Plain<>(ECHO, () -> (job, input) -> input);

  private final Injector injector = Guice.createInjector(new Parts());
  private final MemoryWorker worker = injector.getInstance(MemoryWorker.class);
  private long entered;
  private final Places places = injector.getInstance(Places.class);

  /** One slot. */
  private static final class Parts extends AbstractModule {
    @Override
    protected void configure() {
      var second = Duration.ofSeconds(1);
      bind(MemoryTerms.class)
          .toInstance(new MemoryTerms(1, 10, second.multipliedBy(60), second, 5, 5));
      bind(HandlerRegistry.class).toInstance(new HandlerRegistry(List.of(HANDLER)));
      bind(Transactions.class).to(NoTransactions.class);
      bind(RandomGenerator.class).toInstance(new Random(1));
      bind(JobMeters.class).toInstance(Measuring.unrecorded());
      Multibinder.newSetBinder(binder(), JobInterceptor.class);
      Multibinder.newSetBinder(binder(), TransactionalJobInterceptor.class);
    }
  }

  /** Opens none. */
  private static final class NoTransactions implements Transactions {

    @Override
    public <T extends @Nullable Object, E extends Exception> T asTenant(
        SecurityContext caller, TransactionOptions options, TenantWork<T, E> work) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> T within(
        TenantTransaction tx, TenantWork<T, E> work) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> T asEngine(
        TransactionOptions options, EngineWork<T, E> work) {
      throw new UnsupportedOperationException();
    }
  }

  @AfterEach
  void stop() {
    worker.stop(Duration.ofSeconds(5));
  }

  private MemoryJob enter(String principal, @Nullable JSON metadata) {
    var clock = injector.getInstance(MemoryClock.class);
    var asked =
        new AskedJob(
            clock.newId(),
            new TenantId(new UUID(1, 1)),
            principal,
            Optional.empty(),
            HANDLER,
            0,
            3,
            Optional.empty(),
            metadata,
            Optional.empty());
    var life = Life.from(clock.now(), clock.now());
    var job = new MemoryJob(asked, ++entered, "hello", life, new MemoryHistory(5));
    places.take(ECHO.handler());
    worker.enter(job, Duration.ZERO);
    return job;
  }

  private static void assertFailedOnce(MemoryJob job, String error) {
    await().until(() -> job.life().status().isFinal());
    assertThat(job.life().status()).isEqualTo(JobStatus.FAILED);
    assertThat(job.life().attempts()).isEqualTo(1);
    assertThat(job.life().lastError().orElseThrow()).contains(error);
  }

  @Test
  void aJobThatCannotBeDecodedFailsAloneAndFreesItsSlot() {
    worker.start();

    var blank = enter(" ", null);
    var list = enter("ann", JSON.json("[]"));
    var good = enter("ann", null);

    assertFailedOnce(blank, "the principal cannot be used");
    assertFailedOnce(list, "the metadata cannot be read");
    await().until(() -> good.life().status() == JobStatus.SUCCEEDED);
  }
}
