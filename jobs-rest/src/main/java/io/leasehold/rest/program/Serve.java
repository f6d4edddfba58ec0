package io.leasehold.rest.program;

import java.io.PrintWriter;
import java.util.Optional;
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
  private volatile boolean stopping;

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
   * @throws RuntimeException if it cannot start; then nothing is left running
   */
  public void untilStopped() throws InterruptedException {
    var stopper = new Thread(this::stopByOrder, "stop");
    Runtime.getRuntime().addShutdownHook(stopper);
    try {
      start();
    } catch (RuntimeException e) {
      if (stopping) {
        return; // It was stopped by order while it started, which is no failure.
      }
      Runtime.getRuntime().removeShutdownHook(stopper);
      stop();
      throw e;
    }
    new CountDownLatch(1).await();
  }

  /** Keeps the lock: an order to stop waits for a while until there is something whole to stop. */
  private void start() {
    starting.lock();
    try {
      openAndVerify();
    } finally {
      starting.unlock();
    }
  }

  private void openAndVerify() {
    var begun = System.nanoTime();
    readyFile.ifPresent(ReadyFile::delete);
    var opened = databases.get();
    database.set(opened);
    out.println("database  " + opened);
    out.println("roles     leasehold_owner, leasehold_tenant, leasehold_engine");
    new Migrate(out).ifAllowed(opened);
    Verification.require(opened);
    out.println("verified  all is well");
    readyFile.ifPresent(it -> it.write(opened.jdbcUrl()));
    var millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
    out.printf("ready     after %d ms; Ctrl-C stops%n", millis);
  }

  /** Runs in a process that ends by a signal, whose exit code would tell of the signal. */
  private void stopByOrder() {
    stopping = true;
    try {
      out.println("stopping");
      awaitStart();
      stop();
      out.println("stopped");
      Runtime.getRuntime().halt(CLEAN);
    } catch (RuntimeException e) {
      out.println("not stopped in order: " + e.getMessage());
      Runtime.getRuntime().halt(NOT_CLEAN);
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
      var opened = database.getAndSet(null);
      if (opened != null) {
        opened.close();
      }
    }
  }
}
