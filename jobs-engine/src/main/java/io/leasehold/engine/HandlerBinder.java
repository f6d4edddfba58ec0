package io.leasehold.engine;

import com.google.inject.Binder;
import com.google.inject.Singleton;
import com.google.inject.TypeLiteral;
import com.google.inject.multibindings.Multibinder;
import io.leasehold.db.TransactionalJobHandler;
import io.leasehold.db.TransactionalJobInterceptor;
import io.leasehold.engine.work.handlers.RegisteredHandler;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobInterceptor;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.KeptElsewhere;

/**
 * Registers handlers, in a module's Guice module:
 *
 * {@snippet :
 * handlerBinder(binder()).handle(MonthlyReport.TYPE).with(MonthlyReport.class);
 * }
 *
 * <p>A handler is made by Guice anew for each attempt, unless it is bound as a singleton.
 */
public final class HandlerBinder {

  private final Binder binder;

  private HandlerBinder(Binder binder) {
    this.binder = binder;
  }

  /** Registers in this module. */
  public static HandlerBinder handlerBinder(Binder binder) {
    return new HandlerBinder(binder);
  }

  /** Says for which kind of job; a second handler for the same id fails when the engine is made. */
  public <I, O> Handling<I, O> handle(JobType<I, O> type) {
    return new Handling<>(binder, type);
  }

  /**
   * Has an interceptor stand around all jobs, inside of those that were registered before: one,
   * made by Guice.
   */
  public void intercept(Class<? extends JobInterceptor> interceptor) {
    binder.bind(interceptor).in(Singleton.class);
    Multibinder.newSetBinder(binder, JobInterceptor.class).addBinding().to(interceptor);
  }

  /** Has an interceptor that is there already stand around all jobs. */
  public void intercept(JobInterceptor interceptor) {
    Multibinder.newSetBinder(binder, JobInterceptor.class).addBinding().toInstance(interceptor);
  }

  /**
   * Has an interceptor run in the transaction of each transactional handler, inside of those that
   * were registered before: one, made by Guice.
   */
  public void interceptInTransaction(Class<? extends TransactionalJobInterceptor> interceptor) {
    binder.bind(interceptor).in(Singleton.class);
    Multibinder.newSetBinder(binder, TransactionalJobInterceptor.class)
        .addBinding()
        .to(interceptor);
  }

  /** Has an interceptor that is there already run in the transaction of each such handler. */
  public void interceptInTransaction(TransactionalJobInterceptor interceptor) {
    Multibinder.newSetBinder(binder, TransactionalJobInterceptor.class)
        .addBinding()
        .toInstance(interceptor);
  }

  /**
   * Has the maintenance remove what is kept of jobs in a place of the module's own, as snapshots of
   * plans, once they are gone: in every process with the role {@link
   * EngineConfig.Role#MAINTENANCE}, whether it runs such jobs or not.
   */
  public void removeWithJobs(KeptElsewhere place) {
    Multibinder.newSetBinder(binder, KeptElsewhere.class).addBinding().toInstance(place);
  }

  /**
   * A kind of job that needs a handler.
   *
   * @param <I> the input
   * @param <O> the output
   */
  public static final class Handling<I, O> {

    private final Binder binder;
    private final JobType<I, O> type;

    private Handling(Binder binder, JobType<I, O> type) {
      this.binder = binder;
      this.type = type;
    }

    /** Registers a handler that works on its own. */
    public void with(Class<? extends JobHandler<I, O>> handler) {
      binder.bind(handler);
      register(new RegisteredHandler.Plain<>(type, binder.getProvider(handler)));
    }

    /** Registers a handler that works in the transaction which ends its job. */
    public void inTransaction(Class<? extends TransactionalJobHandler<I, O>> handler) {
      binder.bind(handler);
      register(new RegisteredHandler.InTransaction<>(type, binder.getProvider(handler)));
    }

    /** Registers a handler that is there already: one for all attempts. */
    public void with(JobHandler<I, O> handler) {
      register(new RegisteredHandler.Plain<>(type, () -> handler));
    }

    /**
     * Registers a handler that is there already, and works in the transaction that ends its job.
     */
    public void inTransaction(TransactionalJobHandler<I, O> handler) {
      register(new RegisteredHandler.InTransaction<>(type, () -> handler));
    }

    private void register(RegisteredHandler<I, O> handler) {
      Multibinder.newSetBinder(binder, new TypeLiteral<RegisteredHandler<?, ?>>() {})
          .addBinding()
          .toInstance(handler);
    }
  }
}
