package io.leasehold.plans;

import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobKind;
import io.leasehold.jobs.PermanentFailure;
import io.leasehold.jobs.history.JobTask;
import java.util.List;
import java.util.Optional;

/**
 * Runs jobs that are made of tasks. A type of jobs is registered as follows:
 *
 * {@snippet :
 * handlerBinder(binder())
 *     .handle(Catalogue.TYPE)
 *     .with(PlanHandler.of(new Catalogue(), servers, snapshots));
 * }
 *
 * <p>An attempt skips the finished tasks, restores the state from the last snapshot, and runs the
 * remaining tasks in order. Each task's status is reported in the job's history, as events of the
 * kind {@link JobTask#EVENT}; the job's progress follows the tasks. Task outputs are steps of the
 * job ({@link JobContext#step}). Each job's request chooses when the state is kept, see {@link
 * SnapshotModes}. Immutable.
 *
 * @param <I> the input
 * @param <O> the output
 * @param <S> the state that the tasks work on
 */
public final class PlanHandler<I, O, S> implements JobHandler<I, O> {

  private final TaskPlan<I, O, S> plan;
  private final Optional<StateSource<S>> states;

  private PlanHandler(TaskPlan<I, O, S> plan, Optional<StateSource<S>> states) {
    this.plan = plan;
    this.states = states;
  }

  /** Opens states and stores their snapshots. */
  private record StateSource<S>(PlanRuntime<S> runtime, StateStore store) {

    private States<S> in(SnapshotMode mode) {
      return new States<>(runtime, store, mode);
    }
  }

  /** A handler of a plan whose tasks have no state. */
  public static <I, O> PlanHandler<I, O, NoState> of(TaskPlan<I, O, NoState> plan) {
    return new PlanHandler<>(plan, Optional.empty());
  }

  /**
   * A handler of a plan whose tasks work on a state, which is kept as the job's request chooses.
   */
  public static <I, O, S> PlanHandler<I, O, S> of(
      TaskPlan<I, O, S> plan, PlanRuntime<S> runtime, StateStore store) {
    return new PlanHandler<>(plan, Optional.of(new StateSource<>(runtime, store)));
  }

  @Override
  public O run(JobContext job, I input) throws Exception {
    var chosen = states.map(source -> source.in(mode(job)));
    List<Task<S, ?>> tasks = plan.tasks(input);
    var planned = PlannedTask.inOrder(job.id(), tasks, chosen.isPresent());
    return plan.result(input, new PlanRun<>(job, planned, chosen).run());
  }

  private static SnapshotMode mode(JobContext job) {
    var mode = chosen(job);
    // The steps of an in-memory job die with its process, and no other process could tell when its
    // snapshots are no longer needed.
    if (mode != SnapshotMode.NONE && job.type().kind() == JobKind.IN_MEMORY) {
      throw new IllegalStateException(
          "a job in memory keeps no snapshots: its snapshot mode must be none, not " + mode.word());
    }
    return mode;
  }

  // The submitter may have used another version of the type, or no type at all.
  private static SnapshotMode chosen(JobContext job) {
    try {
      return SnapshotModes.of(job);
    } catch (IllegalArgumentException e) {
      throw new PermanentFailure(String.valueOf(e.getMessage()), e);
    }
  }
}
