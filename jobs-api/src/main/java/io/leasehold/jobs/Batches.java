package io.leasehold.jobs;

import java.util.Iterator;
import java.util.Optional;

/**
 * Batches of a caller's tenant: many jobs that are submitted together, and followed and cancelled
 * as one. Their jobs are jobs like any other. A batch takes no more jobs once it is submitted, and
 * is kept as long as one of its jobs is.
 *
 * <p>Another tenant's batch and one that never was are the same: not there. Only restartable jobs
 * can be in one, and none in direct mode. Safe to share between threads.
 */
public interface Batches {

  /**
   * Submits any number of jobs in one transaction as a batch: all of them, or none.
   *
   * @param requests read a thousand at a time. One whose key was taken puts the job that has it
   *     into the batch
   * @throws IllegalArgumentException if there is none, or one whose jobs live in memory
   */
  BatchId submit(SecurityContext caller, Iterator<? extends JobRequest<?, ?>> requests);

  /**
   * The same, and one more job that runs when all of the others are over, however they ended; at
   * once if there are no others.
   *
   * @param callback that job; it waits for no further ones
   * @throws IllegalArgumentException if it does, or if one of the jobs would live in memory
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
   * Tells how a batch fares, of any tenant that the caller may read. Looks at each of its jobs: of
   * a hundred thousand that takes some tenths of a second.
   */
  Optional<Batch> find(SecurityContext caller, BatchId id);

  /**
   * Asks for the end of all jobs of a batch of the caller's own tenant, in transactions of some
   * hundred jobs each, and not for that of its callback, which runs then. Repeated, it asks again.
   *
   * @return how many jobs were ended, or are told to end; 0 if there is no such batch
   */
  long cancel(SecurityContext caller, BatchId id);
}
