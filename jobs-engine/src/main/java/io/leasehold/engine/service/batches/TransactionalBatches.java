package io.leasehold.engine.service.batches;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.Transactions;
import io.leasehold.engine.inmemory.direct.DirectJobs;
import io.leasehold.engine.service.batches.CancelBatch.Asked;
import io.leasehold.engine.service.submit.AdmitRequest;
import io.leasehold.engine.service.submit.TransactionalJobService;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobKind;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.Submission;
import io.leasehold.jobs.TenantTransaction;
import io.leasehold.jobs.batches.Batch;
import io.leasehold.jobs.batches.BatchId;
import io.leasehold.jobs.batches.Batches;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The batches of the caller's tenant. Their jobs are submitted like any others, and recorded as
 * members of the batch.
 */
public final class TransactionalBatches implements Batches {

  private static final int CANCELLED_AT_ONCE = 500;
  private static final JobId FIRST = new JobId(new UUID(0, 0));

  private final Transactions transactions;
  private final AdmitRequest requests;
  private final TransactionalJobService jobs;
  private final DirectJobs direct;

  @Inject
  TransactionalBatches(
      Transactions transactions,
      AdmitRequest requests,
      TransactionalJobService jobs,
      DirectJobs direct) {
    this.transactions = transactions;
    this.requests = requests;
    this.jobs = jobs;
    this.direct = direct;
  }

  @Override
  public BatchId submit(SecurityContext caller, Iterator<? extends JobRequest<?, ?>> requests) {
    return transactions.asTenant(caller, tx -> submit(tx, requests, Optional.empty()));
  }

  @Override
  public BatchId submit(
      SecurityContext caller,
      Iterator<? extends JobRequest<?, ?>> requests,
      JobRequest<?, ?> callback) {
    return transactions.asTenant(caller, tx -> submit(tx, requests, Optional.of(callback)));
  }

  @Override
  public BatchId submit(TenantTransaction tx, Iterator<? extends JobRequest<?, ?>> requests) {
    return transactions.within(tx, scoped -> submit(scoped, requests, Optional.empty()));
  }

  @Override
  public BatchId submit(
      TenantTransaction tx,
      Iterator<? extends JobRequest<?, ?>> requests,
      JobRequest<?, ?> callback) {
    return transactions.within(tx, scoped -> submit(scoped, requests, Optional.of(callback)));
  }

  private BatchId submit(
      ScopedTransaction tx,
      Iterator<? extends JobRequest<?, ?>> requests,
      Optional<JobRequest<?, ?>> callback) {
    Optional<JobRequest<?, ?>> last =
        callback.map(request -> this.requests.admit(tx.caller(), request));
    last.ifPresent(this::requireWaiting);
    last.ifPresent(TransactionalBatches::requireFree);
    Optional<BatchId> batch = Optional.empty();
    var all = new ArrayList<JobId>();
    while (requests.hasNext()) {
      var admitted = this.requests.admitSome(tx.caller(), requests);
      admitted.forEach(this::requireWaiting);
      var some = jobs.submitAll(tx, admitted).stream().map(Submission::jobId).toList();
      batch = Optional.of(AddToBatch.add(tx, batch, some, false));
      all.addAll(some);
    }
    if (last.isPresent()) {
      var id = jobs.submitAfterEnd(tx, last.get(), all).jobId();
      batch = Optional.of(AddToBatch.add(tx, batch, List.of(id), true));
    }
    return batch.orElseThrow(
        () -> new IllegalArgumentException("a batch must have a job or a callback"));
  }

  private void requireWaiting(JobRequest<?, ?> request) {
    if (request.type().kind() == JobKind.IN_MEMORY || direct.takes(request)) {
      throw new IllegalArgumentException(
          "jobs of %s do not wait for workers, and can be in no batch"
              .formatted(request.type().handler()));
    }
  }

  private static void requireFree(JobRequest<?, ?> callback) {
    if (!callback.after().isEmpty() || callback.reuseWithin().isPresent()) {
      throw new IllegalArgumentException(
          "a batch's callback waits for the batch alone, and is a job of its own");
    }
  }

  @Override
  public Optional<Batch> find(SecurityContext caller, BatchId id) {
    return transactions.asTenant(caller, tx -> FindBatch.find(tx, id));
  }

  @Override
  public long cancel(SecurityContext caller, BatchId id) {
    var count = 0L;
    var asked = cancelSome(caller, id, FIRST);
    while (!asked.isEmpty()) {
      count += asked.stream().filter(Asked::became).count();
      asked = cancelSome(caller, id, asked.getLast().id());
    }
    return count;
  }

  private List<Asked> cancelSome(SecurityContext caller, BatchId id, JobId behind) {
    return transactions.asTenant(
        caller,
        tx -> {
          var asked = CancelBatch.cancel(tx, id, behind, CANCELLED_AT_ONCE);
          if (!asked.isEmpty()) {
            var ids = asked.stream().map(Asked::id).toList();
            jobs.announceCancelled(tx, ids, asked.stream().anyMatch(Asked::runs), true);
          }
          return asked;
        });
  }
}
