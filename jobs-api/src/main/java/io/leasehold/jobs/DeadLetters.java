package io.leasehold.jobs;

import java.util.List;

/**
 * Jobs that failed or timed out for good, until somebody looks after them.
 *
 * <p>They can be read by whoever may read their tenant's jobs; retried and discarded are those of
 * the caller's own tenant only. A filter may ask for one of the two statuses; with another one a
 * method throws {@link IllegalArgumentException}. Safe to share between threads.
 */
public interface DeadLetters {

  /** Lists those of all tenants that the caller may read, the newest jobs first. */
  JobPage list(SecurityContext caller, JobFilter filter);

  /**
   * Counts those of all tenants that the caller may read, in the order of tenants, handlers and
   * statuses. Reads each of them, and so takes as long as there are many: not for every refresh of
   * a dashboard.
   */
  List<DeadLetterCount> counts(SecurityContext caller);

  /** Queues one anew, as {@link JobService#retry} does. */
  Retrial retry(SecurityContext caller, JobId id);

  /**
   * Queues all of the own tenant's anew that the filter takes, the newest first, whatever its
   * limit. Each is retried once by a call, also if it fails again meanwhile.
   *
   * <p>Works in transactions of some hundred jobs: if it fails or is interrupted, those before stay
   * retried, and it can be called again. Within a transaction that runs on this thread, it is a
   * part of that one.
   *
   * @return how many were queued
   */
  int retryAll(SecurityContext caller, JobFilter filter);

  /** Removes one for good, with all that belongs to it. */
  Disposal discard(SecurityContext caller, JobId id);

  /**
   * Removes all of the own tenant's for good that the filter takes, whatever its limit, in
   * transactions of some hundred jobs, as {@link #retryAll} does.
   *
   * @return how many were removed
   */
  int discardAll(SecurityContext caller, JobFilter filter);
}
