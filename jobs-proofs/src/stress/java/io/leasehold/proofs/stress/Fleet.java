package io.leasehold.proofs.stress;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A worker process, to be killed, frozen and woken. */
final class Fleet {

  static final Duration LEASE = Duration.ofSeconds(3);
  static final Duration RESCUE_EVERY = Duration.ofSeconds(1);

  private Fleet() {}

  /** Starts a worker on a database. */
  static Worker start(String jdbcUrl) throws IOException {
    return start(jdbcUrl, LEASE);
  }

  /** Starts a worker with leases of its own. */
  static Worker start(String jdbcUrl, Duration lease) throws IOException {
    return new Worker(launch(WorkerMain.class, Map.of(), jdbcUrl, lease.toString()));
  }

  /** Starts a worker beside a {@link Reference} that wakes as many threads. */
  static Worker startWithReference(String jdbcUrl, int threads) throws IOException {
    var args = new String[] {jdbcUrl, LEASE.toString(), Integer.toString(threads)};
    return new Worker(launch(WorkerMain.class, Map.of(), args));
  }

  /** Starts a program of ours, with more in its environment. */
  static Process launch(Class<?> program, Map<String, String> environment, String... args)
      throws IOException {
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-Dguice_bytecode_gen_option=DISABLED",
                "-Dorg.jooq.no-logo=true",
                "-Dorg.jooq.no-tips=true",
                "-Dlogback.configurationFile=" + System.getProperty("logback.configurationFile"),
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
    command.addAll(List.of(args));
    var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().putAll(environment);
    return builder.start();
  }

  /**
   * One of them.
   *
   * @param process the child
   */
  record Worker(Process process) {

    /** Waits until it works. */
    Worker awaitReady() throws IOException {
      var line = process.inputReader().readLine();
      if (!"ready".equals(line)) {
        throw new IllegalStateException("the worker said %s".formatted(line));
      }
      return this;
    }

    void kill() throws IOException, InterruptedException {
      signal("KILL");
      process.waitFor();
    }

    void freeze() throws IOException, InterruptedException {
      signal("STOP");
    }

    void wake() throws IOException, InterruptedException {
      signal("CONT");
    }

    /** Asks it to stop, and answers how long it took. */
    Duration stop() throws IOException, InterruptedException {
      var begin = System.nanoTime();
      signal("TERM");
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the worker does not stop");
      }
      return Duration.ofNanos(System.nanoTime() - begin);
    }

    private void signal(String name) throws IOException, InterruptedException {
      new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    }
  }
}
