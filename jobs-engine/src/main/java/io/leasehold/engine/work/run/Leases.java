package io.leasehold.engine.work.run;

import static java.util.stream.Collectors.partitioningBy;

import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.engine.kernel.HeldLease;
import io.leasehold.engine.log.PeriodicTaskLog;
import io.leasehold.engine.metrics.JobMeters;
import io.leasehold.engine.metrics.SignsOfLife;
import io.leasehold.engine.signal.JobChanges;
import io.leasehold.engine.work.attempt.RunningJob;
import io.leasehold.engine.work.lease.KeepLeases;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.StopReason;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews this worker's leases, and tracks by the process's own clock when they may expire.
 *
 * <p>The process counts from before it sends a claim or a renewal, and the database from when it
 * receives the statement. A lease therefore never lasts longer here than in the database.
 * Thread-safe.
 */
@Singleton
final class Leases {

  private static final Logger log = LoggerFactory.getLogger(Leases.class);

  private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(1);

  private final RunningJobs held;
  private final KeepLeases keep;
  private final Duration lease;
  private final Duration renewEvery;
  private final JobMeters meters;
  private final SignsOfLife signs;
  private final JobChanges changes;
  private volatile boolean doubtful;

  /** Set when the answer to a claim was lost, until the leases it may have taken are given back. */
  private volatile Optional<Long> unansweredSince = Optional.empty();

  // When leases were given back before the answer to their claim arrived, by token. Guarded by
  // this.
  private final Map<Long, Long> forgone = new HashMap<>();

  @Inject
  Leases(
      RunningJobs held,
      KeepLeases keep,
      Terms terms,
      JobMeters meters,
      SignsOfLife signs,
      JobChanges changes) {
    this.held = held;
    this.keep = keep;
    this.lease = terms.lease();
    this.renewEvery = terms.renewEvery();
    this.meters = meters;
    this.signs = signs;
    this.changes = changes;
  }

  /** Returns how often to renew all leases. */
  Duration renewEvery() {
    return renewEvery;
  }

  /** Whether the last renewal failed; while it has, the worker should take no more leases. */
  boolean areDoubtful() {
    return doubtful;
  }

  /**
   * Holds the jobs of a claim, and has them started.
   *
   * @param sentAt the process's clock just before the claim was sent
   */
  void claimed(List<ClaimedJob> claimed, long sentAt, Consumer<List<RunningJob>> start) {
    signs.claimed();
    start.accept(hold(claimed, sentAt));
    changes.changed(claimed, ClaimedJob::id);
  }

  /** Records that a claim failed. If its answer was lost, it may have taken leases. */
  void claimFailed(JobsException e) {
    signs.databaseFailed(e);
    if (e.code() == ErrorCode.OUTCOME_UNKNOWN) { // This worker must not run what it took.
      answerLost();
    }
  }

  /** Holds newly claimed jobs, except those whose leases have been given back meanwhile. */
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
   * Renews all leases, and stops the jobs whose leases turn out to be lost.
   *
   * @throws JobsException if the leases were not renewed, or the outcome is unknown
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
      if (e.code() != ErrorCode.INTERRUPTED) { // For example, when the worker stops.
        meters.renewalFailed();
      }
      throw e;
    }
  }

  /** Records that the answer to a claim was lost. The claim may have taken leases. */
  void answerLost() {
    unansweredSince = Optional.of(System.nanoTime());
  }

  /**
   * Gives leases back, so that other workers can claim the jobs. If the database refuses, the
   * leases expire.
   *
   * @param begun whether the handlers have begun
   */
  void giveBack(Collection<HeldLease> back, boolean begun) {
    if (back.isEmpty()) {
      return;
    }
    try {
      keep.giveBack(back, begun);
      changes.changed(back, HeldLease::id);
    } catch (JobsException e) {
      log.warn(
          "{} jobs could not be given back, their leases will expire: {}",
          back.size(),
          PeriodicTaskLog.reason(e));
    }
  }

  /**
   * Gives back leases taken by a claim whose answer was lost, as soon as the database responds.
   * Sends nothing to the database if there was no such claim.
   */
  void giveBackUnanswered() {
    var since = unansweredSince;
    if (since.isPresent()) {
      var isLongAgo = System.nanoTime() - since.get() > 2 * ANSWERED_WITHIN.toNanos();
      // The ending of a started job may still be on its way, for example if its handler was
      // abandoned.
      giveBackUnknown(ANSWERED_WITHIN, lease -> !held.isUnended(lease.token()));
      if (isLongAgo && unansweredSince.equals(since)) {
        unansweredSince = Optional.empty();
      }
    }
  }

  // Most claims that old have been answered. An answer can still arrive later, if the process was
  // frozen or the commit was slow. It must not start jobs that another worker may have by then.
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
    // An answer that arrives after a whole lease starts nothing, so these entries are not needed.
    forgone.values().removeIf(since -> now - since >= lease.toNanos());
    var unknown = taken.stream().filter(lease -> !held.has(lease.token())).toList();
    unknown.forEach(lease -> forgone.put(lease.token(), now));
    return unknown;
  }
}
