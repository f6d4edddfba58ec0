package io.leasehold.engine.work.inline;

import io.leasehold.engine.maintenance.dependencies.FollowDependents;
import io.leasehold.engine.time.delayed.MoveInTime;
import io.leasehold.engine.work.claim.OpenLanes;
import io.leasehold.engine.work.handlers.HandlerRegistry;
import io.leasehold.engine.work.run.Terms;
import jakarta.inject.Inject;

/** Claims due jobs and runs them on the calling thread, one after the other. Thread-safe. */
public final class RunDueJobs {

  private static final int AT_ONCE = 100;

  private final OpenLanes lanes;
  private final HandlerRegistry handlers;
  private final Terms terms;
  private final MoveInTime due;
  private final FollowDependents dependents;
  private final RunClaimed run;

  @Inject
  RunDueJobs(
      OpenLanes lanes,
      HandlerRegistry handlers,
      Terms terms,
      MoveInTime due,
      FollowDependents dependents,
      RunClaimed run) {
    this.lanes = lanes;
    this.handlers = handlers;
    this.terms = terms;
    this.due = due;
    this.dependents = dependents;
    this.run = run;
  }

  /** Runs all due jobs and the jobs that they submit. Returns how many attempts ran. */
  public int run() {
    var all = 0;
    int some;
    do {
      due.move();
      dependents.settle();
      some = handlers.queues().stream().mapToInt(this::runQueue).sum();
      all += some;
    } while (some > 0);
    return all;
  }

  private int runQueue(String queue) {
    var lanes = this.lanes.of(queue, terms.lease());
    var ran = 0;
    while (true) {
      var sentAt = System.nanoTime();
      var claimed = lanes.claim(AT_ONCE).jobs();
      if (claimed.isEmpty()) {
        return ran;
      }
      run.run(claimed, sentAt, terms.lease());
      ran += claimed.size();
    }
  }
}
