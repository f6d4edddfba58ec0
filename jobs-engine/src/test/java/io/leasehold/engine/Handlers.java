package io.leasehold.engine;

import static io.leasehold.engine.HandlerBinder.handlerBinder;

import com.google.inject.AbstractModule;
import io.leasehold.db.TransactionalJobHandler;
import io.leasehold.db.TransactionalJobInterceptor;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.spi.JobInterceptor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A module with handlers made for a test. */
final class Handlers extends AbstractModule {

  private final List<Consumer<HandlerBinder>> handlers = new ArrayList<>();

  /** A kind of job of texts. */
  static JobType<String, String> type(String name) {
    return JobType.restartable(
            "gts.x.core.jobs.handler.v1~acme.tests.engine.%s.v1".formatted(name),
            String.class,
            String.class)
        .queue(name);
  }

  <I, O> Handlers with(JobType<I, O> type, JobHandler<I, O> handler) {
    handlers.add(binder -> binder.handle(type).with(handler));
    return this;
  }

  <I, O> Handlers inTransaction(JobType<I, O> type, TransactionalJobHandler<I, O> handler) {
    handlers.add(binder -> binder.handle(type).inTransaction(handler));
    return this;
  }

  /** A handler of which each attempt gets a new instance. */
  <I, O> Handlers made(JobType<I, O> type, Class<? extends JobHandler<I, O>> handler) {
    handlers.add(binder -> binder.handle(type).with(handler));
    return this;
  }

  <I, O> Handlers madeInTransaction(
      JobType<I, O> type, Class<? extends TransactionalJobHandler<I, O>> handler) {
    handlers.add(binder -> binder.handle(type).inTransaction(handler));
    return this;
  }

  Handlers around(JobInterceptor interceptor) {
    handlers.add(binder -> binder.intercept(interceptor));
    return this;
  }

  Handlers inTransactions(TransactionalJobInterceptor interceptor) {
    handlers.add(binder -> binder.interceptInTransaction(interceptor));
    return this;
  }

  @Override
  protected void configure() {
    handlers.forEach(handler -> handler.accept(handlerBinder(binder())));
  }
}
