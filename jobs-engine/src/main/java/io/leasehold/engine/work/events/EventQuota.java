package io.leasehold.engine.work.events;

import io.leasehold.jobs.JobTask;
import java.util.ArrayList;
import java.util.List;

/**
 * How many events a job may have yet. That events are dropped is told once, in the place of the
 * first of them. How tasks fare has room of its own behind that: a task that tells much would else
 * be shown as running for ever. That somebody asked for the job's end always has room.
 */
final class EventQuota {

  static final int FOR_TASKS = 5_000;

  /** Less than nothing when it was told that there is none. */
  private int left;

  private int leftForTasks;

  /**
   * What is left.
   *
   * @param most events of a job
   * @param told so far, by all attempts
   */
  EventQuota(int most, int told) {
    this.left = most - told;
    this.leftForTasks = FOR_TASKS + Math.min(0, left);
  }

  /** Those that find room. */
  List<Telling> admit(List<Telling> tellings) {
    var its = new ArrayList<Telling>();
    for (var one : tellings) {
      if (left == 0 && !one.kind().equals(Telling.CANCEL_REQUESTED)) {
        left--;
        its.add(Telling.dropped());
      }
      if (isRoomFor(one.kind())) {
        its.add(one);
      }
    }
    return its;
  }

  private boolean isRoomFor(String kind) {
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
