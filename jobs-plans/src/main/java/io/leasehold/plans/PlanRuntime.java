package io.leasehold.plans;

import io.leasehold.jobs.JobContext;
import java.util.Optional;

/**
 * Gives each attempt a state of its own to work on: a database server, a folder, whatever can be
 * copied into files and back. Safe to share between threads.
 *
 * @param <S> what tasks work on
 */
@FunctionalInterface
public interface PlanRuntime<S> {

  /**
   * Opens a state for an attempt, with nothing of any other attempt but what the snapshot has. What
   * attempts of processes that are gone left running on this machine is stopped and removed.
   *
   * @param from what it begins with; empty for a new one
   */
  PlanState<S> open(JobContext job, Optional<Snapshot> from) throws Exception;
}
