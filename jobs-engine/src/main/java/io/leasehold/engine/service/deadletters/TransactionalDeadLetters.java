package io.leasehold.engine.service.deadletters;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import io.leasehold.engine.service.query.FindJob;
import io.leasehold.engine.signal.Dependents;
import io.leasehold.engine.signal.JobChanges;
import io.leasehold.engine.signal.WakeUps;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobPage;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.RetryOutcome;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.deadletters.DeadLetterCount;
import io.leasehold.jobs.deadletters.DeadLetters;
import io.leasehold.jobs.deadletters.DiscardOutcome;
import jakarta.inject.Inject;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Dead letters, with one transaction for each call or each batch. */
public final class TransactionalDeadLetters implements DeadLetters {

  private static final int AT_ONCE = 500;
  private static final TransactionOptions ONE_STATEMENT =
      TransactionOptions.defaults().asOneStatement();

  private final Transactions transactions;
  private final JobService jobs;
  private final WakeUps wakeUps;
  private final JobChanges changes;
  private final Dependents dependents;

  @Inject
  TransactionalDeadLetters(
      Transactions transactions,
      JobService jobs,
      WakeUps wakeUps,
      JobChanges changes,
      Dependents dependents) {
    this.transactions = transactions;
    this.jobs = jobs;
    this.wakeUps = wakeUps;
    this.changes = changes;
    this.dependents = dependents;
  }

  @Override
  public JobPage list(SecurityContext caller, JobFilter filter) {
    return transactions.asTenant(caller, ONE_STATEMENT, tx -> ListDeadLetters.list(tx, filter));
  }

  @Override
  public List<DeadLetterCount> counts(SecurityContext caller) {
    return transactions.asTenant(caller, ONE_STATEMENT, CountDeadLetters::count);
  }

  @Override
  public RetryOutcome retry(SecurityContext caller, JobId id) {
    return jobs.retry(caller, id);
  }

  @Override
  public int retryAll(SecurityContext caller, JobFilter filter) {
    return all(caller, filter, this::retry);
  }

  private Set<JobId> retry(ScopedTransaction tx, Map<JobId, String> queues) {
    var retried = RetryDeadLetters.retry(tx, queues.keySet());
    queues.entrySet().stream()
        .filter(entry -> retried.contains(entry.getKey()))
        .map(Map.Entry::getValue)
        .distinct()
        .forEach(queue -> tx.afterCommit(() -> wakeUps.jobsIn(queue)));
    tx.afterCommit(() -> changes.changed(retried));
    tx.afterCommit(dependents::look);
    return retried;
  }

  @Override
  public DiscardOutcome discard(SecurityContext caller, JobId id) {
    return transactions.asTenant(
        caller,
        tx ->
            discard(tx, List.of(id)).isEmpty()
                ? FindJob.find(tx, id)
                    .filter(job -> job.tenant().equals(caller.tenant()))
                    .<DiscardOutcome>map(job -> new DiscardOutcome.NotDead(job.status()))
                    .orElseGet(DiscardOutcome.NotFound::new)
                : new DiscardOutcome.Discarded());
  }

  @Override
  public int discardAll(SecurityContext caller, JobFilter filter) {
    return all(caller, filter, (tx, queues) -> discard(tx, queues.keySet()));
  }

  private Set<JobId> discard(ScopedTransaction tx, Collection<JobId> ids) {
    var discarded = DiscardDeadLetters.discard(tx, ids);
    tx.afterCommit(() -> changes.changed(discarded));
    return discarded;
  }

  /** An action on jobs whose queues are known. Returns the ids of the jobs that it changed. */
  @FunctionalInterface
  private interface Deed {
    Set<JobId> with(ScopedTransaction tx, Map<JobId, String> queues);
  }

  /** The result of a batch. */
  private record Batch(int done, Optional<JobId> last) {}

  // The loop pages by id and never goes back: a job that is retried and fails again in the meantime
  // has already been passed.
  private int all(SecurityContext caller, JobFilter filter, Deed deed) {
    var done = 0;
    var next = Optional.of(filter);
    while (next.isPresent()) {
      var current = next.get();
      var batch = transactions.asTenant(caller, tx -> batch(tx, current, deed));
      done += batch.done();
      next = batch.last().map(current::after);
    }
    return done;
  }

  private static Batch batch(ScopedTransaction tx, JobFilter filter, Deed deed) {
    var queues = ListDeadLetters.own(tx, filter, AT_ONCE);
    if (queues.isEmpty()) {
      return new Batch(0, Optional.empty());
    }
    var last = List.copyOf(queues.keySet()).getLast();
    var done = deed.with(tx, queues).size();
    return new Batch(done, queues.size() < AT_ONCE ? Optional.empty() : Optional.of(last));
  }
}
