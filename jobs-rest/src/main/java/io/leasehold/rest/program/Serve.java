package io.leasehold.rest.program;

import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Serves from a migrated and verified database until the process is told to end. */
public final class Serve {

  private static final int START_LIMIT_SECONDS = 10;
  private static final int CLEAN = 0;
  private static final int NOT_CLEAN = 1;

  private final Supplier<Database> databases;
  private final Optional<ReadyFile> readyFile;
  private final PrintWriter out;
  private final ReentrantLock starting = new ReentrantLock();
  private final AtomicReference<@Nullable Database> database = new AtomicReference<>();

  /** Lets the process end after a failure, and not before everything is stopped. */
  private final CountDownLatch stopped = new CountDownLatch(1);

  /** Nothing is told of the start any more. Guarded by this. */
  private boolean ending;

  /**
   * Prepares.
   *
   * @param databases opens the database
   * @param readyFile written when the program is ready, and deleted when it stops
   * @param out for people
   */
  public Serve(Supplier<Database> databases, Optional<ReadyFile> readyFile, PrintWriter out) {
    this.databases = databases;
    this.readyFile = readyFile;
    this.out = out;
  }

  /**
   * Starts, and returns only by the end of the process: at SIGINT and SIGTERM everything is stopped
   * in order, and the process exits with 0.
   *
   * @throws RuntimeException if it cannot start, or the server that was started for it ends by
   *     itself; then nothing is left running
   */
  public void untilStopped() throws InterruptedException {
    readyFile.ifPresent(ReadyFile::prepare);
    Runtime.getRuntime().addShutdownHook(new Thread(this::stopByOrder, "stop"));
    try {
      awaitServerEnd(start());
    } catch (RuntimeException e) {
      if (!isFirstToEnd()) {
        // It was told to stop meanwhile, and fails for that alone. The order ends the process.
        new CountDownLatch(1).await();
      }
      throw stoppedAfter(e);
    }
  }

  /** Keeps a lock: an order to stop waits for a while until there is something whole to stop. */
  private Database start() {
    starting.lock();
    try {
      return openAndVerify();
    } finally {
      starting.unlock();
    }
  }

  private Database openAndVerify() {
    var begun = System.nanoTime();
    var opened = databases.get();
    database.set(opened);
    tell("database  " + opened);
    tell("roles     leasehold_owner, leasehold_tenant, leasehold_engine");
    new Migrate(out).ifAllowed(opened);
    requireGoing();
    Verification.require(opened);
    tell("verified  all is well");
    tellReady(opened, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
    return opened;
  }

  private RuntimeException stoppedAfter(RuntimeException failure) {
    try {
      stop();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
    return failure;
  }

  private synchronized void tell(String line) {
    requireGoing();
    out.println(line);
  }

  private synchronized void tellReady(Database opened, long millis) {
    requireGoing();
    readyFile.ifPresent(it -> it.write(opened.shownUrl()));
    out.printf("ready     after %d ms; Ctrl-C stops%n", millis);
  }

  private synchronized void requireGoing() {
    if (ending) {
      throw new CancellationException("told to stop");
    }
  }

  private static void awaitServerEnd(Database opened) {
    opened.serverEnded().join();
    throw new IllegalStateException(
        "the database's server has ended by itself, as server.log says: %s".formatted(opened));
  }

  /** A failure and an order to stop may meet: the first stops everything, the other waits. */
  private synchronized boolean isFirstToEnd() {
    var first = !ending;
    ending = true;
    return first;
  }

  /** Runs in a process that ends by a signal, whose exit code would tell of the signal. */
  private void stopByOrder() {
    if (!isFirstToEnd()) {
      awaitStopAfterFailure();
      return;
    }
    out.println("stopping");
    try {
      awaitStart();
      stop();
      out.println("stopped");
      Runtime.getRuntime().halt(CLEAN);
    } catch (RuntimeException e) {
      out.println("not stopped in order: " + e.getMessage());
      Runtime.getRuntime().halt(NOT_CLEAN);
    }
  }

  private void awaitStopAfterFailure() {
    try {
      stopped.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A start may wait for ever, as for a lock in a database; then it is stopped in its midst. */
  private void awaitStart() {
    try {
      if (!starting.tryLock(START_LIMIT_SECONDS, TimeUnit.SECONDS)) {
        out.printf("not started after %d s more, stopping all the same%n", START_LIMIT_SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void stop() {
    try {
      readyFile.ifPresent(ReadyFile::delete);
    } finally {
      close();
    }
  }

  private void close() {
    try {
      var opened = database.getAndSet(null);
      if (opened != null) {
        opened.close();
      }
    } finally {
      stopped.countDown();
    }
  }
}
