package io.leasehold.engine.work.inline;

import io.leasehold.engine.signal.WakeUps;
import jakarta.inject.Inject;
import java.time.Duration;

/** Runs jobs right after the commit that brought them, on the thread that committed. */
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

  /** It is run when somebody asks for what is due then. */
  @Override
  public void jobsDueIn(Duration delay) {}

  /** Nothing runs at the same time. */
  @Override
  public void cancellations() {}
}
