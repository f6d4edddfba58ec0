package io.leasehold.engine.work.run;

import static java.util.stream.Collectors.partitioningBy;

import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.engine.kernel.HeldLease;
import io.leasehold.engine.metrics.JobMeters;
import io.leasehold.engine.metrics.SignsOfLife;
import io.leasehold.engine.signal.JobChanges;
import io.leasehold.engine.work.attempt.RunningJob;
import io.leasehold.engine.work.lease.KeepLeases;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.StopReason;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Keeps this worker's leases, and knows by the process's own clock when they may be over.
 *
 * <p>That is counted from before a claim or a renewal was sent, while the database counts from when
 * it came: so here a lease never lasts longer than there. Safe to share between threads.
 */
final class Leases {

  private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(1);

  private final RunningJobs held;
  private final KeepLeases keep;
  private final Duration lease;
  private final JobMeters meters;
  private final SignsOfLife signs;
  private final JobChanges changes;
  private volatile boolean doubtful;

  /** When the answer to a claim was lost: what it took is not given back yet. */
  private volatile Optional<Long> unansweredSince = Optional.empty();

  // Given back before the answer to their claim came, and when. Guarded by this.
  private final Map<Long, Long> forgone = new HashMap<>();

  Leases(
      RunningJobs held,
      KeepLeases keep,
      Duration lease,
      JobMeters meters,
      SignsOfLife signs,
      JobChanges changes) {
    this.held = held;
    this.keep = keep;
    this.lease = lease;
    this.meters = meters;
    this.signs = signs;
    this.changes = changes;
  }

  /** Whether the last renewal failed: then no further leases should be taken. */
  boolean areDoubtful() {
    return doubtful;
  }

  /** Holds what was just claimed, but for what was given back meanwhile. */
  synchronized List<RunningJob> hold(Collection<ClaimedJob> claimed, long sentAt) {
    var jobs =
        claimed.stream()
            .filter(job -> forgone.remove(job.token()) == null)
            .map(job -> new RunningJob(job, sentAt, sentAt + lease.toNanos()))
            .toList();
    jobs.forEach(held::add);
    return jobs;
  }

  /**
   * Extends all leases; jobs whose lease turns out to be lost are told to stop.
   *
   * @throws JobsException if the leases are not renewed, or perhaps not
   */
  void renew() {
    var sentAt = System.nanoTime();
    var all = List.copyOf(held.all());
    try {
      var kept = keep.renew(all.stream().map(RunningJob::lease).toList(), lease);
      for (var job : all) {
        if (kept.renewed().contains(job.job().id())) {
          job.renewed(sentAt + lease.toNanos());
        } else if (kept.lost().contains(job.job().id())) {
          job.stop(StopReason.LOST, System.nanoTime());
        }
      }
      doubtful = false;
      signs.renewed();
      held.tidyUnended(sentAt - 2 * lease.toNanos());
      giveBackUnknown(lease.dividedBy(3), _ -> true);
    } catch (JobsException e) {
      doubtful = true;
      signs.databaseFailed(e);
      if (e.code() != ErrorCode.INTERRUPTED) { // As when the worker stops.
        meters.renewalFailed();
      }
      throw e;
    }
  }

  /** Tells that the answer to a claim was lost. It may have taken leases. */
  void answerLost() {
    unansweredSince = Optional.of(System.nanoTime());
  }

  /**
   * Gives back what was taken by a claim whose answer was lost, as soon as the database answers.
   * Asks it nothing if there was no such claim.
   */
  void giveBackUnanswered() {
    var since = unansweredSince;
    if (since.isPresent()) {
      var isLongAgo = System.nanoTime() - since.get() > 2 * ANSWERED_WITHIN.toNanos();
      // An end may still be on its way for a job that began, as when its handler was abandoned.
      giveBackUnknown(ANSWERED_WITHIN, lease -> !held.isUnended(lease.token()));
      if (isLongAgo && unansweredSince.equals(since)) {
        unansweredSince = Optional.empty();
      }
    }
  }

  // Long enough ago for most claims to have been answered. One whose answer comes yet, after the
  // process was frozen or the commit took its time, must not begin what another may have by then.
  private void giveBackUnknown(Duration ago, Predicate<HeldLease> isDue) {
    var unknown = forgo(keep.takenBefore(ago).stream().filter(isDue).toList());
    if (!unknown.isEmpty()) {
      unknown.stream()
          .collect(partitioningBy(lease -> held.isUnended(lease.token())))
          .forEach((begun, leases) -> keep.giveBack(leases, begun));
      changes.changed(unknown, HeldLease::id);
    }
  }

  private synchronized List<HeldLease> forgo(List<HeldLease> taken) {
    var now = System.nanoTime();
    // After a whole lease nothing that an answer brings may begin: it need not be known any more.
    forgone.values().removeIf(since -> now - since >= lease.toNanos());
    var unknown = taken.stream().filter(lease -> !held.has(lease.token())).toList();
    unknown.forEach(lease -> forgone.put(lease.token(), now));
    return unknown;
  }
}
