package io.leasehold.engine;

import com.google.inject.Binder;
import com.google.inject.Singleton;
import com.google.inject.TypeLiteral;
import com.google.inject.multibindings.Multibinder;
import io.leasehold.db.TransactionalJobHandler;
import io.leasehold.db.TransactionalJobInterceptor;
import io.leasehold.engine.work.handlers.RegisteredHandler;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.outputs.ExternalStorage;
import io.leasehold.jobs.spi.JobInterceptor;

/**
 * Registers handlers in a Guice module:
 *
 * {@snippet :
 * handlerBinder(binder()).handle(MonthlyReport.TYPE).with(MonthlyReport.class);
 * }
 *
 * <p>Guice creates a new handler instance for each attempt, unless the handler is bound as a
 * singleton.
 */
public final class HandlerBinder {

  private final Binder binder;

  private HandlerBinder(Binder binder) {
    this.binder = binder;
  }

  /** Creates a binder that registers handlers in this module. */
  public static HandlerBinder handlerBinder(Binder binder) {
    return new HandlerBinder(binder);
  }

  /**
   * Starts the registration of a handler for a job type. If two handlers are registered for the
   * same id, the creation of the engine fails.
   */
  public <I, O> Handling<I, O> handle(JobType<I, O> type) {
    return new Handling<>(binder, type);
  }

  /**
   * Registers an interceptor around all jobs, inside those registered earlier. Guice creates one
   * instance.
   */
  public void intercept(Class<? extends JobInterceptor> interceptor) {
    binder.bind(interceptor).in(Singleton.class);
    Multibinder.newSetBinder(binder, JobInterceptor.class).addBinding().to(interceptor);
  }

  /** Registers an existing interceptor around all jobs. */
  public void intercept(JobInterceptor interceptor) {
    Multibinder.newSetBinder(binder, JobInterceptor.class).addBinding().toInstance(interceptor);
  }

  /**
   * Registers an interceptor that runs in the transaction of each transactional handler, inside
   * those registered earlier. Guice creates one instance.
   */
  public void interceptInTransaction(Class<? extends TransactionalJobInterceptor> interceptor) {
    binder.bind(interceptor).in(Singleton.class);
    Multibinder.newSetBinder(binder, TransactionalJobInterceptor.class)
        .addBinding()
        .to(interceptor);
  }

  /**
   * Registers an existing interceptor that runs in the transaction of each transactional handler.
   */
  public void interceptInTransaction(TransactionalJobInterceptor interceptor) {
    Multibinder.newSetBinder(binder, TransactionalJobInterceptor.class)
        .addBinding()
        .toInstance(interceptor);
  }

  /**
   * Registers a place where the module stores content for jobs, such as snapshots of plans. After a
   * job is deleted, maintenance deletes its content from this place. This happens in every process
   * with the role {@link EngineConfig.Role#MAINTENANCE}, whether or not the process runs such jobs.
   */
  public void removeWithJobs(ExternalStorage place) {
    Multibinder.newSetBinder(binder, ExternalStorage.class).addBinding().toInstance(place);
  }

  /**
   * A job type that needs a handler.
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

    /** Registers a handler that runs outside the transaction that ends its job. */
    public void with(Class<? extends JobHandler<I, O>> handler) {
      binder.bind(handler);
      register(new RegisteredHandler.Plain<>(type, binder.getProvider(handler)));
    }

    /** Registers a handler that runs in the transaction that ends its job. */
    public void inTransaction(Class<? extends TransactionalJobHandler<I, O>> handler) {
      binder.bind(handler);
      register(new RegisteredHandler.InTransaction<>(type, binder.getProvider(handler)));
    }

    /** Registers an existing handler instance, used for all attempts. */
    public void with(JobHandler<I, O> handler) {
      register(new RegisteredHandler.Plain<>(type, () -> handler));
    }

    /** Registers an existing handler instance that runs in the transaction that ends its job. */
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
