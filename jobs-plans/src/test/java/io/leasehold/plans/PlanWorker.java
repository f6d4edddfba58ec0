package io.leasehold.plans;

import io.leasehold.testkit.TestDatabase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/** A worker as a process of its own, that is heard and killed. */
final class PlanWorker implements AutoCloseable {

  private static final int MANY = 100;
  private static final Duration SHORT_LEASE = Duration.ofSeconds(3);

  private final Process process;
  private final Semaphore heard = new Semaphore(0);
  private final Thread listening;
  private volatile String last = "nothing";

  private PlanWorker(Process process) {
    this.process = process;
    this.listening = Thread.ofVirtual().start(() -> listen(process.inputReader()));
  }

  static PlanWorker start(TestDatabase database, Path folder, Path programs) throws IOException {
    return start(database, folder, programs, SHORT_LEASE);
  }

  static PlanWorker start(TestDatabase database, Path folder, Path programs, Duration lease)
      throws IOException {
    return new PlanWorker(
        PlanProcess.start(
            PlanWorkerMain.class,
            database.jdbcUrl(),
            folder.toString(),
            programs.toString(),
            lease.toString()));
  }

  private void listen(BufferedReader said) {
    try (said) {
      for (var line = said.readLine(); line != null; line = said.readLine()) {
        last = line;
        heard.release(line.equals(Accounts.LAST) ? MANY : 1);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether it has printed {@code lines} lines, or the last line of a job. */
  boolean hasSaid(int lines) {
    return heard.availablePermits() >= lines;
  }

  /** Ends it where it is, as {@code kill -9} does. Answers what it said last. */
  String kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
    listening.join();
    return last;
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
