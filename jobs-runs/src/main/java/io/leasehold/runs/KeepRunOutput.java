package io.leasehold.runs;

import io.leasehold.jobs.JobContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Stores a file that a run produced, for as long as its job is kept. Called by several threads at
 * once, for different jobs.
 */
@FunctionalInterface
public interface KeepRunOutput {

  /**
   * Stores each file as an output of its job, under its name with {@code _} for each slash. A file
   * that cannot have such a name fails the attempt.
   */
  KeepRunOutput AS_OUTPUTS =
      (job, name, file) ->
          job.output(
              name.replace('/', '_'), "application/octet-stream", out -> Files.copy(file, out));

  /** Stores nothing: outputs that the handler does not read are deleted with the run. */
  KeepRunOutput NOTHING = (job, name, file) -> {};

  /**
   * Stores the file and replaces an earlier one of the same name: a worker that adopts an ended run
   * stores its files again.
   *
   * @param job the job of the run
   * @param name the file's name, relative to the folder of outputs, with slashes
   * @param file the file on this machine, which is deleted soon after
   */
  void keep(JobContext job, String name, Path file) throws IOException, InterruptedException;
}
