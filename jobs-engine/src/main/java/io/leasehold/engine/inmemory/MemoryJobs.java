package io.leasehold.engine.inmemory;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.TenantWork;
import io.leasehold.db.Transactions;
import io.leasehold.engine.inmemory.MemoryJob.Life;
import io.leasehold.engine.inmemory.state.AskedJob;
import io.leasehold.engine.inmemory.state.MemoryClock;
import io.leasehold.engine.inmemory.state.MemoryHistory;
import io.leasehold.engine.inmemory.state.MemoryKeys;
import io.leasehold.engine.inmemory.state.MemoryTerms;
import io.leasehold.engine.inmemory.state.Places;
import io.leasehold.engine.work.handlers.HandlerRegistry;
import io.leasehold.engine.work.handlers.RegisteredHandler;
import io.leasehold.jobs.Cancellation;
import io.leasehold.jobs.Deletion;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.RetryOutcome;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.Submission;
import io.leasehold.jobs.TenantTransaction;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The operations of callers on in-memory jobs. Each belongs to a transaction and takes effect when
 * that transaction commits. Until then, a job that it took out of the queue does not start, and a
 * place that it took is not available to others.
 */
final class MemoryJobs {

  private final Transactions transactions;
  private final HandlerRegistry handlers;
  private final MemoryWorker worker;
  private final MemoryQueue queue;
  private final Store store;
  private final AtomicLong order = new AtomicLong();

  @Inject
  MemoryJobs(
      Transactions transactions,
      HandlerRegistry handlers,
      MemoryWorker worker,
      MemoryQueue queue,
      Store store) {
    this.transactions = transactions;
    this.handlers = handlers;
    this.worker = worker;
    this.queue = queue;
    this.store = store;
  }

  /** The parts that jobs are made of. */
  record Store(Places places, MemoryKeys keys, MemoryClock clock, MemoryTerms terms) {

    @Inject
    Store {}
  }

  /** Accepts a job that starts once the transaction has committed, or refuses it at once. */
  Submission submit(TenantTransaction tx, JobRequest<?, ?> request) {
    return submit(tx.caller(), request, work -> transactions.within(tx, work));
  }

  /** Accepts a job in a transaction of its own, or refuses it at once. */
  Submission submit(SecurityContext caller, JobRequest<?, ?> request) {
    return submit(caller, request, work -> transactions.asTenant(caller, work));
  }

  // A job refused for lack of room has not affected the transaction, which may continue.
  private Submission submit(
      SecurityContext caller,
      JobRequest<?, ?> request,
      Function<TenantWork<Submission, RuntimeException>, Submission> in) {
    worker.requireTaking();
    var handler = handler(request);
    var kind = request.type().handler();
    var known = request.key().flatMap(key -> store.keys().taken(caller.tenant(), kind, key));
    if (known.isPresent()) {
      return new Submission(known.get(), true);
    }
    store.places().take(kind);
    var entered = new AtomicBoolean();
    try {
      var job = job(caller, handler, request);
      return in.apply(tx -> enter(tx, job, request.delay(), entered));
    } finally {
      if (!entered.get()) {
        store.places().giveBack(kind);
      }
    }
  }

  private MemoryJob job(
      SecurityContext caller, RegisteredHandler<?, ?> handler, JobRequest<?, ?> request) {
    var now = store.clock().now();
    return new MemoryJob(
        AskedJob.of(store.clock().newId(), caller, handler, request),
        order.incrementAndGet(),
        request.input(),
        Life.from(now.plus(request.delay()), now),
        new MemoryHistory(store.terms().eventsMost()));
  }

  private RegisteredHandler<?, ?> handler(JobRequest<?, ?> request) {
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

  private Submission enter(
      ScopedTransaction tx, MemoryJob job, Duration delay, AtomicBoolean entered) {
    var asked = job.asked();
    var known = store.keys().take(asked, tx);
    if (known.isPresent()) {
      return new Submission(known.get(), true);
    }
    tx.afterEnd(
        committed -> {
          store.keys().settle(asked, committed);
          if (committed) {
            worker.enter(job, delay);
          } else {
            store.places().giveBack(asked.handler().type().handler());
          }
        });
    entered.set(true);
    return new Submission(asked.id(), false);
  }

  /** Returns the job with this id, if it belongs to the caller's own tenant. */
  Optional<MemoryJob> own(SecurityContext caller, JobId id) {
    return queue.find(id).filter(job -> job.asked().tenant().equals(caller.tenant()));
  }

  Cancellation cancel(ScopedTransaction tx, MemoryJob job) {
    if (queue.withdraw(job)) {
      tx.afterEnd(committed -> settle(job, committed, worker::endCancelled));
      return new Cancellation.Cancelled();
    }
    return switch (job.place()) {
      case NOWHERE -> new Cancellation.NotFound();
      case OVER -> new Cancellation.TooLate(job.life().status());
      case WAITING, LATER, WITHDRAWN, RUNNING -> {
        tx.afterCommit(() -> stop(job));
        yield new Cancellation.Requested();
      }
    };
  }

  // After a commit, the withdrawn job is ended. After a rollback it returns to the queue, where it
  // ends if another transaction has requested its end.
  private void settle(MemoryJob job, boolean committed, Consumer<MemoryJob> end) {
    if (committed) {
      end.accept(job);
      return;
    }
    queue.putBack(job);
    worker.endIfCancelled(job);
    worker.dispatch();
  }

  private void stop(MemoryJob job) {
    job.cancelled(true);
    worker.endIfCancelled(job);
    if (job.place() == MemoryJob.Place.RUNNING) {
      worker.cancel(job);
    }
  }

  RetryOutcome retry(ScopedTransaction tx, MemoryJob job) {
    return switch (job.place()) {
      case NOWHERE -> new RetryOutcome.NotFound();
      case WAITING, WITHDRAWN, RUNNING -> new RetryOutcome.NotNeeded(job.life().status());
      case LATER -> {
        tx.afterCommit(() -> hurry(job));
        yield new RetryOutcome.Queued();
      }
      case OVER -> {
        if (job.life().status() == JobStatus.SUCCEEDED) {
          yield new RetryOutcome.NotNeeded(JobStatus.SUCCEEDED);
        }
        worker.requireTaking();
        var kind = job.asked().handler().type().handler();
        store.places().take(kind);
        tx.afterEnd(
            committed -> {
              if (!committed || !revive(job)) {
                store.places().giveBack(kind);
              }
            });
        yield new RetryOutcome.Queued();
      }
    };
  }

  private void hurry(MemoryJob job) {
    var now = store.clock().now();
    queue.hurry(
        job, life -> life.queued(life.attempts(), now, life.later(), life.lastError(), now));
    worker.dispatch();
  }

  private boolean revive(MemoryJob job) {
    var now = store.clock().now();
    job.cancelled(false);
    var revived =
        queue.revive(
            job,
            life -> {
              worker.tell(job, "queued", Map.of());
              return life.queued(0, now, life.later(), life.lastError(), now);
            });
    worker.goOn();
    return revived;
  }

  Deletion delete(ScopedTransaction tx, MemoryJob job) {
    if (queue.withdraw(job)) {
      tx.afterEnd(committed -> settle(job, committed, queue::remove));
      return new Deletion.Deleted();
    }
    return switch (job.place()) {
      case NOWHERE -> new Deletion.NotFound();
      case OVER -> {
        tx.afterCommit(() -> endAndRemove(job)); // It may have been retried by then.
        yield new Deletion.Deleted();
      }
      case WAITING, LATER, WITHDRAWN, RUNNING -> new Deletion.Running();
    };
  }

  Deletion forceDelete(ScopedTransaction tx, MemoryJob job) {
    var deletion = delete(tx, job);
    if (!(deletion instanceof Deletion.Running)) {
      return deletion;
    }
    tx.afterCommit(() -> endAndRemove(job));
    return new Deletion.Requested();
  }

  private void endAndRemove(MemoryJob job) {
    queue.removeAtEnd(job);
    stop(job);
  }
}
