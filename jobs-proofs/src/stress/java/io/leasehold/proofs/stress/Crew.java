package io.leasehold.proofs.stress;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/** Workers that are started again whenever one of them is gone, as a supervisor does. */
final class Crew implements AutoCloseable {

  private static final Duration MOST = Duration.ofMinutes(2);

  private final String jdbcUrl;
  private final Begins begins;
  private final Duration lease;
  private final List<Fleet.Worker> workers = new ArrayList<>();

  /** Starts {@code size} workers on a database. */
  Crew(String jdbcUrl, int size, Begins begins) throws IOException {
    this(jdbcUrl, size, begins, Fleet.LEASE);
  }

  /** Starts {@code size} workers on a database, with leases of this length. */
  Crew(String jdbcUrl, int size, Begins begins, Duration lease) throws IOException {
    this.jdbcUrl = jdbcUrl;
    this.begins = begins;
    this.lease = lease;
    for (int i = 0; i < size; i++) {
      workers.add(start());
    }
  }

  private Fleet.Worker start() throws IOException {
    var worker = Fleet.start(jdbcUrl, lease);
    begins.hear(worker);
    return worker;
  }

  Fleet.Worker member(int which) {
    return workers.get(which);
  }

  /** One of those that work: only their end is felt. */
  Fleet.Worker anyAtWork(RandomGenerator random) {
    var atWork = workers.stream().filter(begins::works).toList();
    return atWork.get(random.nextInt(atWork.size()));
  }

  /** Starts those that are gone: a worker that finds no server ends by itself. */
  void revive() throws IOException {
    for (int i = 0; i < workers.size(); i++) {
      if (!workers.get(i).process().isAlive()) {
        workers.set(i, start());
      }
    }
  }

  /** Starts the workers that have ended, and waits until {@code least} work. */
  void awaitReady(int least) throws IOException {
    var deadline = System.nanoTime() + MOST.toNanos();
    revive();
    while (workers.stream().filter(begins::works).count() < least) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException("fewer than %d workers work".formatted(least));
      }
      revive();
      LockSupport.parkNanos(50_000_000);
    }
  }

  @Override
  public void close() {
    for (var worker : workers) {
      worker.process().destroyForcibly().onExit().join();
    }
  }
}
