package io.leasehold.runs;

import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.WhenLost;
import org.jspecify.annotations.Nullable;

/**
 * Handles a job with a run outside of the JVM, which continues when the worker dies or stops. The
 * next worker finds the run, and the attempt's number stays the same. The job's type must have
 * {@link WhenLost#ADOPT}.
 *
 * <p>Each line that the run writes becomes an event {@code log} of the job, exactly once, whichever
 * worker reports it. The run is stopped when the job is cancelled or times out. It fails its
 * attempt with {@link RunFailed} if its exit code means failure, and with {@link RunGone} if it no
 * longer exists.
 *
 * @param <I> the input
 * @param <O> the output
 */
public abstract class RunHandler<I, O extends @Nullable Object> implements JobHandler<I, O> {

  private final Runs runs;

  /** Creates a handler that follows its runs with {@code runs}. */
  protected RunHandler(Runs runs) {
    this.runs = runs;
  }

  /** Returns what to run. Called when the run is started, and not by a worker that adopts it. */
  protected abstract RunSpec spec(JobContext job, I input) throws Exception;

  /**
   * Makes the job's output from what the run produced. It may be called again, by the next worker,
   * if this one dies before the job's end is stored.
   */
  protected abstract O result(JobContext job, I input, EndedRun run) throws Exception;

  /** Whether a run with this exit code has succeeded; by default only with 0. */
  protected boolean isSuccess(int exitCode) {
    return exitCode == 0;
  }

  @Override
  public final O run(JobContext job, I input) throws Exception {
    if (job.type().whenLost() != WhenLost.ADOPT) {
      throw new IllegalStateException(
          "%s must be of WhenLost.ADOPT: its runs outlive its workers"
              .formatted(job.type().handler()));
    }
    var ended = runs.follow(job, () -> spec(job, input));
    if (!isSuccess(ended.exitCode())) {
      throw new RunFailed(job.attempt(), ended.exitCode());
    }
    return result(job, input, ended);
  }
}
