package io.leasehold.runs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Starts what outlives the JVM, and finds it again: by another object, in another process, after
 * this one was killed. Safe to share between threads, and between processes of one machine.
 *
 * <p>It knows the runs of its own place: a machine, or an engine of containers. What another place
 * runs is nothing to it. An {@link IOException} says that it cannot tell or do something at
 * present.
 */
public interface Runner {

  /**
   * Makes ready what a run needs, and starts nothing. A run that was started is left as it is; of
   * one that was prepared only, whoever starts it finds what one of those left who prepared it.
   *
   * @throws IllegalArgumentException if the runner cannot run such
   */
  void prepare(RunId id, RunSpec spec) throws IOException, InterruptedException;

  /**
   * Starts a run that this one has prepared. Repeated, and by whomever, it is started once: what is
   * there goes on as it is. One that was removed since is not started, so that whoever slept in
   * between cannot begin what others have done with.
   *
   * @throws IOException if it is not prepared, or cannot be started
   */
  void start(RunId id, RunSpec spec) throws IOException, InterruptedException;

  /** How the run is; nothing if none of this name was prepared here, or it was removed. */
  Optional<RunState> find(RunId id) throws IOException, InterruptedException;

  /** Waits until the run has ended, at most for so long, and answers how it is then. */
  Optional<RunState> await(RunId id, Duration most) throws IOException, InterruptedException;

  /**
   * What the run has written so far, its errors among the rest, from a byte on. Of one that has
   * ended it is all of it.
   */
  InputStream log(RunId id, long from) throws IOException, InterruptedException;

  /**
   * The files that an ended run left in the folder which it was told as {@code LEASEHOLD_OUTPUTS},
   * as they are on this machine until the run is removed. Links among them are the run's own words:
   * do not follow them.
   */
  Path outputs(RunId id) throws IOException, InterruptedException;

  /**
   * Ends the run with all that it started: asks it to, and ends it by force after a grace. Does
   * nothing to one that has ended. Goes on when interrupted, and returns when it is done.
   */
  void stop(RunId id, Duration grace) throws IOException;

  /**
   * Removes all that is left of a run, which is ended by force if it runs, and is not started any
   * more if it was not. Repeated, it does nothing. Goes on when interrupted.
   */
  void remove(RunId id) throws IOException;

  /** The runs of which something is left here. */
  Set<RunId> all() throws IOException, InterruptedException;
}
