package io.leasehold.runs;

import java.io.IOException;
import java.nio.file.Path;

/** A worker in a process of its own, until it is killed or left alone by the test. */
final class WorkerMain {

  private WorkerMain() {}

  /**
   * Works.
   *
   * @param args the database's JDBC URL, the folder of runs and, for containers, their fleet
   */
  public static void main(String... args) throws IOException {
    var folder = Path.of(args[1]);
    var runner =
        args.length > 2
            ? DockerRunner.of(args[2], folder).options("--network=none")
            : new ProcessRunner(folder);
    try (var worker = TestWorker.on(args[0], TestWorker.config(), runner, KeepRunOutput.NOTHING)) {
      while (System.in.read() >= 0) {
        Thread.onSpinWait();
      }
      worker.stop();
    }
  }
}
