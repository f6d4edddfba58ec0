package io.leasehold.runs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Starts runs that outlive the JVM, and finds them again: from another object, in another process,
 * after this process was killed. Safe to share between threads, and between processes of one
 * machine.
 *
 * <p>A runner knows the runs of one place: a machine, or a container engine. It ignores the runs of
 * other places. An {@link IOException} means that the runner cannot answer or act currently.
 */
public interface Runner {

  /**
   * Prepares everything that a run needs, and starts nothing. A run that was started is not
   * changed. If several workers prepare a run that is not started, the run starts with what one of
   * them prepared.
   *
   * @throws IllegalArgumentException if the runner does not support such a run
   */
  void prepare(RunId id, RunSpec spec) throws IOException, InterruptedException;

  /**
   * Starts a run that this runner has prepared. However often and from wherever it is called, the
   * run starts once; a running run is not changed. A run that was removed since is not started, so
   * that a worker that was suspended meanwhile cannot start a run that others have finished with.
   *
   * @throws IOException if the run is not prepared, or cannot be started
   */
  void start(RunId id, RunSpec spec) throws IOException, InterruptedException;

  /**
   * Returns the state of the run; empty if no run of this name was prepared here, or it was
   * removed.
   */
  Optional<RunState> find(RunId id) throws IOException, InterruptedException;

  /** Waits up to {@code most} for the run to end, and returns its state then. */
  Optional<RunState> await(RunId id, Duration most) throws IOException, InterruptedException;

  /**
   * Returns the log of the run so far, including its errors, starting at a byte. If the run has
   * ended, the log is complete.
   */
  InputStream log(RunId id, long from) throws IOException, InterruptedException;

  /**
   * Returns the files that an ended run left in its folder {@code LEASEHOLD_OUTPUTS}, as they are
   * on this machine until the run is removed. Do not follow links among them: the run can point
   * them anywhere.
   */
  Path outputs(RunId id) throws IOException, InterruptedException;

  /**
   * Ends the run with every process that it started: asks it to stop, and kills it after {@code
   * grace}. Does nothing to a run that has ended. Continues when interrupted, and returns when it
   * is done.
   */
  void stop(RunId id, Duration grace) throws IOException;

  /**
   * Removes all that is left of a run; kills it if it is running, and prevents a start if it is not
   * started. Repeated, it does nothing. Continues when interrupted.
   */
  void remove(RunId id) throws IOException;

  /** Returns the runs of which anything is left here. */
  Set<RunId> all() throws IOException, InterruptedException;
}
