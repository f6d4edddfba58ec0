package io.leasehold.engine.inmemory;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.TenantWork;
import io.leasehold.db.Transactions;
import io.leasehold.engine.inmemory.state.MemoryKeys;
import io.leasehold.engine.inmemory.state.Places;
import io.leasehold.jobs.Cancellation;
import io.leasehold.jobs.Deletion;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.RetryOutcome;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.Submission;
import io.leasehold.jobs.TenantTransaction;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The operations of callers on in-memory jobs. Each belongs to a transaction and takes effect when
 * that transaction commits. Until then, a job that it took out of the queue does not start, and a
 * place that it took is not available to others.
 */
final class MemoryJobs {

  private final Transactions transactions;
  private final MemoryWorker worker;
  private final MemoryQueue queue;
  private final NewMemoryJobs newJobs;
  private final Places places;
  private final MemoryKeys keys;

  @Inject
  MemoryJobs(
      Transactions transactions,
      MemoryWorker worker,
      MemoryQueue queue,
      NewMemoryJobs newJobs,
      Places places,
      MemoryKeys keys) {
    this.transactions = transactions;
    this.worker = worker;
    this.queue = queue;
    this.newJobs = newJobs;
    this.places = places;
    this.keys = keys;
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
    var handler = newJobs.handler(request);
    var kind = request.type().handler();
    var known = request.key().flatMap(key -> keys.taken(caller.tenant(), kind, key));
    if (known.isPresent()) {
      return new Submission(known.get(), true);
    }
    places.take(kind);
    var entered = new AtomicBoolean();
    try {
      var job = newJobs.job(caller, handler, request);
      return in.apply(tx -> enter(tx, job, request.delay(), entered));
    } finally {
      if (!entered.get()) {
        places.giveBack(kind);
      }
    }
  }

  private Submission enter(
      ScopedTransaction tx, MemoryJob job, Duration delay, AtomicBoolean entered) {
    var asked = job.asked();
    var known = keys.take(asked, tx);
    if (known.isPresent()) {
      return new Submission(known.get(), true);
    }
    tx.afterEnd(
        committed -> {
          keys.settle(asked, committed);
          if (committed) {
            worker.enter(job, delay);
          } else {
            places.giveBack(asked.handler().type().handler());
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
        tx.afterCommit(() -> worker.hurry(job));
        yield new RetryOutcome.Queued();
      }
      case OVER -> {
        if (job.life().status() == JobStatus.SUCCEEDED) {
          yield new RetryOutcome.NotNeeded(JobStatus.SUCCEEDED);
        }
        worker.requireTaking();
        var kind = job.asked().handler().type().handler();
        places.take(kind);
        tx.afterEnd(
            committed -> {
              if (!committed || !worker.revive(job)) {
                places.giveBack(kind);
              }
            });
        yield new RetryOutcome.Queued();
      }
    };
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
