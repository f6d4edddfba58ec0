package io.leasehold.downloads;

import java.io.IOException;
import java.nio.file.Path;

/** A process that downloads, until it is killed. */
final class WorkerMain {

  private WorkerMain() {}

  /**
   * Works until its standard input is closed.
   *
   * @param args the database's JDBC URL, and the folder of outputs
   */
  public static void main(String... args) throws IOException {
    try (var _ = Worker.on(args[0], Path.of(args[1]))) {
      while (System.in.read() >= 0) {
        Thread.onSpinWait(); // The test writes nothing, and closes the stream at the end.
      }
    }
  }

  /** Starts one. */
  static Process start(String jdbcUrl, Path outputs) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx128m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Dguice_bytecode_gen_option=DISABLED",
            "-Dlogback.configurationFile=" + System.getProperty("logback.configurationFile"),
            "-cp",
            System.getProperty("java.class.path"),
            WorkerMain.class.getName(),
            jdbcUrl,
            outputs.toString())
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }
}
