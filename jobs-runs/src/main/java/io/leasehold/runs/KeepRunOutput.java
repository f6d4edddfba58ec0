package io.leasehold.runs;

import io.leasehold.jobs.JobContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Keeps a file that a run left, for as long as its job is kept. Called by several threads at once,
 * for different jobs.
 */
@FunctionalInterface
public interface KeepRunOutput {

  /**
   * Keeps each as an output of its job, under its name with {@code _} for each slash; one that can
   * have no such name fails the attempt.
   */
  KeepRunOutput AS_OUTPUTS =
      (job, name, file) ->
          job.output(
              name.replace('/', '_'), "application/octet-stream", out -> Files.copy(file, out));

  /** Keeps nothing: what a handler does not read of a run's outputs is gone with the run. */
  KeepRunOutput NOTHING = (job, name, file) -> {};

  /**
   * Keeps it, in the place of an earlier one of the same name: a worker that adopts an ended run
   * keeps its files once more.
   *
   * @param job whose run it was
   * @param name of the file, relative to the folder of outputs, with slashes
   * @param file as it is on this machine; it is gone soon after
   */
  void keep(JobContext job, String name, Path file) throws IOException, InterruptedException;
}
