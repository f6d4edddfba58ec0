package io.leasehold.jobs.batches;

import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantTransaction;
import java.util.Iterator;
import java.util.Optional;

/**
 * Submits, tracks and cancels batches of the caller's tenant. A batch is a group of jobs that are
 * submitted together, and followed and cancelled as one. The jobs of a batch are ordinary jobs. A
 * batch accepts no more jobs after its submission, and is kept as long as one of its jobs is.
 *
 * <p>No method distinguishes another tenant's batch from one that never existed: both are not
 * found. A batch can contain only restartable jobs, and cannot be used in direct mode. Safe to
 * share between threads.
 */
public interface Batches {

  /**
   * Submits any number of jobs in one transaction as a batch: all of them, or none.
   *
   * @param requests read in batches of a thousand. If the key of a request is taken, the batch
   *     includes the existing job with that key
   * @throws IllegalArgumentException if there are no requests, or one is for an in-memory job
   */
  BatchId submit(SecurityContext caller, Iterator<? extends JobRequest<?, ?>> requests);

  /**
   * Submits a batch with a callback: one more job, which runs when all jobs of the batch have
   * finished, whatever their outcome. If the batch is empty, the callback runs at once.
   *
   * @param callback the callback; it must not have dependencies of its own
   * @throws IllegalArgumentException if it has any, or if one of the jobs is an in-memory job
   */
  BatchId submit(
      SecurityContext caller,
      Iterator<? extends JobRequest<?, ?>> requests,
      JobRequest<?, ?> callback);

  /** Submits a batch that exists if, and only if, the transaction commits. */
  BatchId submit(TenantTransaction tx, Iterator<? extends JobRequest<?, ?>> requests);

  /** Submits a batch and its callback, which exist if, and only if, the transaction commits. */
  BatchId submit(
      TenantTransaction tx,
      Iterator<? extends JobRequest<?, ?>> requests,
      JobRequest<?, ?> callback);

  /**
   * Reads the state of a batch of any tenant that the caller may read. The query reads every job of
   * the batch; for a hundred thousand jobs it takes some tenths of a second.
   */
  Optional<Batch> find(SecurityContext caller, BatchId id);

  /**
   * Cancels all jobs of a batch of the caller's own tenant, in transactions of a few hundred jobs
   * each. The callback is not cancelled and runs afterwards. A repeated call sends the request
   * again.
   *
   * @return the number of jobs that were cancelled or told to stop; 0 if there is no such batch
   */
  long cancel(SecurityContext caller, BatchId id);
}
