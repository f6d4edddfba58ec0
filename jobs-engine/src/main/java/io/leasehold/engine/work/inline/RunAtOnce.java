package io.leasehold.engine.work.inline;

import io.leasehold.engine.signal.WakeUps;
import jakarta.inject.Inject;
import java.time.Duration;

/** Runs jobs right after the commit that submitted them, on the committing thread. */
public final class RunAtOnce implements WakeUps {

  private final RunDueJobs due;

  @Inject
  RunAtOnce(RunDueJobs due) {
    this.due = due;
  }

  @Override
  public void jobsIn(String queue) {
    due.run();
  }

  /** Does nothing: due jobs run when a caller asks for them. */
  @Override
  public void jobsDueIn(Duration delay) {}

  /** Does nothing: no job runs at the same time. */
  @Override
  public void cancellations() {}
}
