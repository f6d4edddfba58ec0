package io.leasehold.plans;

import io.leasehold.jobs.JobContext;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of one attempt, opened when a task first needs it. Confined to the attempt's thread.
 */
final class LazyState<S> {

  private static final Logger log = LoggerFactory.getLogger(LazyState.class);

  private final JobContext job;
  private final Optional<States<S>> states;
  private final Optional<Snapshot> from;
  private @Nullable PlanState<S> state;

  LazyState(JobContext job, Optional<States<S>> states, Optional<Snapshot> from) {
    this.job = job;
    this.states = states;
    this.from = from;
  }

  boolean isOpen() {
    return state != null;
  }

  S get() throws Exception {
    return opened().get();
  }

  void snapshot(Snapshot to) throws Exception {
    opened().snapshot(to);
  }

  private PlanState<S> opened() throws Exception {
    var current = state;
    if (current == null) {
      current = states.orElseThrow().runtime().open(job, from);
      state = current;
    }
    return current;
  }

  /**
   * Ends the state. The interrupt that stopped a task does not disturb this method.
   *
   * @param gracefully whether to close the state rather than abort it at once
   * @param isAll whether a failure to end the state fails the attempt; false if the attempt has
   *     already failed
   */
  void end(boolean gracefully, boolean isAll) throws Exception {
    var current = state;
    if (current == null) {
      return;
    }
    var interrupted = Thread.interrupted();
    try {
      if (gracefully) {
        current.close();
      } else {
        current.abort();
      }
    } catch (Exception e) { // The failure that ended the attempt is the one that counts.
      if (isAll) {
        throw e;
      }
      interrupted |= e instanceof InterruptedException;
      log.warn("the state of job {} could not be closed", job.id(), e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
