package io.leasehold.plans;

import io.leasehold.jobs.JobContext;
import java.util.Optional;

/**
 * Gives each attempt its own state to work on: a database server, a folder, or anything else that
 * can be copied to files and back. Safe to share between threads.
 *
 * @param <S> the state that tasks work on
 */
@FunctionalInterface
public interface PlanRuntime<S> {

  /**
   * Opens a state for an attempt; it has nothing from other attempts except the contents of the
   * snapshot. Anything that attempts of dead processes left running on this machine is stopped and
   * removed.
   *
   * @param from the snapshot that the state starts from; empty for a new state
   */
  PlanState<S> open(JobContext job, Optional<Snapshot> from) throws Exception;
}
