package io.leasehold.plans;

import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobKind;
import io.leasehold.jobs.JobTask;
import java.util.List;
import java.util.Optional;

/**
 * Runs jobs that are made of tasks:
 *
 * {@snippet :
 * handlerBinder(binder())
 *     .handle(Catalogue.TYPE)
 *     .with(PlanHandler.of(new Catalogue(), servers, snapshots).snapshots(SnapshotMode.FINAL));
 * }
 *
 * <p>An attempt skips the tasks that are done, takes the state from the last snapshot, and does the
 * rest in order. How each task fares is told in the job's history, by events of the kind {@link
 * JobTask#EVENT}; the job's progress follows the tasks. The outputs of tasks are steps of the job
 * ({@link JobContext#step}). Immutable.
 *
 * @param <I> the input
 * @param <O> the output
 * @param <S> what the tasks work on
 */
public final class PlanHandler<I, O, S> implements JobHandler<I, O> {

  private final TaskPlan<I, O, S> plan;
  private final Optional<States<S>> states;

  private PlanHandler(TaskPlan<I, O, S> plan, Optional<States<S>> states) {
    this.plan = plan;
    this.states = states;
  }

  /** Of a plan whose tasks have no state. */
  public static <I, O> PlanHandler<I, O, NoState> of(TaskPlan<I, O, NoState> plan) {
    return new PlanHandler<>(plan, Optional.empty());
  }

  /** Of a plan whose tasks work on a state, which is kept after each. */
  public static <I, O, S> PlanHandler<I, O, S> of(
      TaskPlan<I, O, S> plan, PlanRuntime<S> runtime, StateStore store) {
    return new PlanHandler<>(plan, Optional.of(new States<>(runtime, store, SnapshotMode.ALWAYS)));
  }

  /** When the state is kept; {@link SnapshotMode#ALWAYS} unless told. Nothing without a state. */
  public PlanHandler<I, O, S> snapshots(SnapshotMode mode) {
    return new PlanHandler<>(plan, states.map(its -> its.in(mode)));
  }

  @Override
  public O run(JobContext job, I input) throws Exception {
    requireStored(job);
    List<Task<S, ?>> tasks = plan.tasks(input);
    var planned = PlannedTask.inOrder(job.id(), tasks, states.isPresent());
    return plan.result(input, new PlanRun<>(job, planned, states).run());
  }

  // Its steps die with the process, and nobody could tell when nobody needs its snapshots any more.
  private void requireStored(JobContext job) {
    var keeps = states.map(States::mode).filter(mode -> mode != SnapshotMode.NONE).isPresent();
    if (keeps && job.type().kind() == JobKind.IN_MEMORY) {
      throw new IllegalStateException(
          "a job in memory keeps no snapshots: give its plan SnapshotMode.NONE");
    }
  }
}
