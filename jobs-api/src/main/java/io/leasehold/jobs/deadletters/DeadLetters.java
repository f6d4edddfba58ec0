package io.leasehold.jobs.deadletters;

import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobPage;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.RetryOutcome;
import io.leasehold.jobs.SecurityContext;
import java.util.List;

/**
 * Lists, retries and discards dead letters: jobs that failed or timed out permanently and have been
 * neither retried nor discarded.
 *
 * <p>A caller can read the dead letters of all tenants that it may read, but can retry and discard
 * only those of its own tenant. A filter may ask for one of the two statuses; for any other status,
 * a method throws {@link IllegalArgumentException}. Safe to share between threads.
 */
public interface DeadLetters {

  /** Lists the dead letters of all tenants that the caller may read, newest jobs first. */
  JobPage list(SecurityContext caller, JobFilter filter);

  /**
   * Counts the dead letters of all tenants that the caller may read, ordered by tenant, handler and
   * status. The query reads every dead letter, so its cost grows with their number: do not run it
   * for every refresh of a dashboard.
   */
  List<DeadLetterCount> counts(SecurityContext caller);

  /** Requeues a dead letter, as {@link JobService#retry} does. */
  RetryOutcome retry(SecurityContext caller, JobId id);

  /**
   * Requeues all dead letters of the caller's own tenant that match the filter, newest first. The
   * limit of the filter is ignored. One call retries each job once, even if the job fails again in
   * the meantime.
   *
   * <p>The jobs are processed in transactions of a few hundred. If the call fails or is
   * interrupted, the jobs of completed transactions stay retried, and the call can be repeated.
   * Inside a transaction that runs on this thread, the whole call is part of that transaction.
   *
   * @return the number of requeued jobs
   */
  int retryAll(SecurityContext caller, JobFilter filter);

  /** Permanently deletes a dead letter, with everything that belongs to it. */
  DiscardOutcome discard(SecurityContext caller, JobId id);

  /**
   * Permanently deletes all dead letters of the caller's own tenant that match the filter. The
   * limit of the filter is ignored. The jobs are processed in transactions of a few hundred, as in
   * {@link #retryAll}.
   *
   * @return the number of deleted jobs
   */
  int discardAll(SecurityContext caller, JobFilter filter);
}
