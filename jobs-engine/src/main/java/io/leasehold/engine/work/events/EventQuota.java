package io.leasehold.engine.work.events;

import io.leasehold.jobs.history.JobTask;
import java.util.ArrayList;
import java.util.List;

/**
 * The number of events that a job may still report. When events are dropped, one event reports
 * that, at the position of the first dropped one. Task events have an additional quota after that,
 * since a task of a job with many events would otherwise be shown as running forever. The event for
 * a requested cancellation is always admitted.
 */
public final class EventQuota {

  static final int FOR_TASKS = 5_000;

  /** Negative once the event for dropped events was reported. */
  private int left;

  private int leftForTasks;

  /**
   * Creates the remaining quota.
   *
   * @param most the maximum number of events of a job
   * @param told the number of events so far, from all attempts
   */
  public EventQuota(int most, int told) {
    this.left = most - told;
    this.leftForTasks = FOR_TASKS + Math.min(0, left);
  }

  /** Returns the events that fit into the quota. */
  List<Telling> admit(List<Telling> tellings) {
    var admitted = new ArrayList<Telling>();
    for (var one : tellings) {
      if (isExhaustedBy(one.kind())) {
        admitted.add(Telling.dropped());
      }
      if (admits(one.kind())) {
        admitted.add(one);
      }
    }
    return admitted;
  }

  /**
   * Returns true once: events are dropped from an event of this kind on, which is to be reported.
   */
  public boolean isExhaustedBy(String kind) {
    if (left != 0 || kind.equals(Telling.CANCEL_REQUESTED)) {
      return false;
    }
    left--;
    return true;
  }

  /** Returns whether an event of this kind fits into the quota, which it then takes. */
  public boolean admits(String kind) {
    if (kind.equals(Telling.CANCEL_REQUESTED)) {
      return true;
    }
    if (left > 0) {
      left--;
      return true;
    }
    if (kind.equals(JobTask.EVENT) && leftForTasks > 0) {
      leftForTasks--;
      return true;
    }
    return false;
  }
}
