package io.leasehold.engine.inmemory;

import io.leasehold.engine.inmemory.MemoryJob.Life;
import io.leasehold.engine.inmemory.state.AskedJob;
import io.leasehold.engine.inmemory.state.MemoryClock;
import io.leasehold.engine.inmemory.state.MemoryHistory;
import io.leasehold.engine.inmemory.state.MemoryTerms;
import io.leasehold.engine.work.handlers.HandlerRegistry;
import io.leasehold.engine.work.handlers.RegisteredHandler;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.concurrent.atomic.AtomicLong;

/** Makes in-memory jobs of requests. */
@Singleton
final class NewMemoryJobs {

  private final HandlerRegistry handlers;
  private final MemoryClock clock;
  private final MemoryTerms terms;
  private final AtomicLong order = new AtomicLong();

  @Inject
  NewMemoryJobs(HandlerRegistry handlers, MemoryClock clock, MemoryTerms terms) {
    this.handlers = handlers;
    this.clock = clock;
    this.terms = terms;
  }

  /** Returns a job that is not in the queue yet. */
  MemoryJob job(SecurityContext caller, RegisteredHandler<?, ?> handler, JobRequest<?, ?> request) {
    var now = clock.now();
    return new MemoryJob(
        AskedJob.of(clock.newId(), caller, handler, request),
        order.incrementAndGet(),
        request.input(),
        Life.from(now.plus(request.delay()), now),
        new MemoryHistory(terms.eventsMost()));
  }

  /** Returns the handler of a job that this process can run, or refuses the job. */
  RegisteredHandler<?, ?> handler(JobRequest<?, ?> request) {
    var id = request.type().handler();
    var handler = handlers.inMemory().get(id);
    if (handler == null) {
      throw new JobsException(
          ErrorCode.HANDLER_UNKNOWN,
          "this process has no handler for jobs of %s in memory".formatted(id));
    }
    if (request.input() != null && !handler.type().input().isInstance(request.input())) {
      throw new JobsException(
          ErrorCode.INPUT_REFUSED,
          "the input of %s must be a %s, not a %s"
              .formatted(
                  id, handler.type().input().getName(), request.input().getClass().getName()));
    }
    return handler;
  }
}
