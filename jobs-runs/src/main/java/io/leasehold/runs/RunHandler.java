package io.leasehold.runs;

import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.WhenLost;
import org.jspecify.annotations.Nullable;

/**
 * Handles a job by a run outside of the JVM, which goes on when the worker dies or stops: the next
 * worker finds it, and the attempt's number stays. The job's type has to have {@link
 * WhenLost#ADOPT}.
 *
 * <p>Each line that the run writes is an event {@code log} of the job, once, whoever told it. The
 * run is stopped when the job is cancelled or takes too long. It fails its attempt with {@link
 * RunFailed} if it ends badly, and with {@link RunGone} if it is not there any more.
 *
 * @param <I> the input
 * @param <O> the output
 */
public abstract class RunHandler<I, O extends @Nullable Object> implements JobHandler<I, O> {

  private final Runs runs;

  /** Runs by these. */
  protected RunHandler(Runs runs) {
    this.runs = runs;
  }

  /** Says what to run. Asked for when it is started, and not by a worker that adopts it. */
  protected abstract RunSpec spec(JobContext job, I input) throws Exception;

  /**
   * Makes the job's output from what the run left. It may be called again, by the next worker, if
   * this one dies before the job's end is stored.
   */
  protected abstract O result(JobContext job, I input, EndedRun run) throws Exception;

  /** Whether a run that ended so has succeeded; by default with 0 alone. */
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
