package io.leasehold.proofs.stress;

import io.leasehold.jobs.JobContext;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** When handlers began, as their workers tell: also those that are gone by now. */
final class Begins {

  /** Ends a line: a killed process may leave a part of one. */
  private static final String WHOLE = "whole";

  private final Queue<Begin> all = new ConcurrentLinkedQueue<>();
  private final Set<Fleet.Worker> ready = ConcurrentHashMap.newKeySet();

  /**
   * A handler began.
   *
   * @param job its id
   * @param token of the lease
   * @param pid of the worker
   * @param at by the worker's clock
   * @param heardAt by ours
   */
  record Begin(String job, long token, long pid, Instant at, Instant heardAt) {}

  /** Says in a worker that a handler begins. */
  static void tell(JobContext job) {
    System.out.printf(
        "begun %s %d %d %s%n", job.id(), job.fenceToken(), System.currentTimeMillis(), WHOLE);
  }

  /** Hears what a worker tells, until its end. */
  void hear(Fleet.Worker worker) {
    var reader = worker.process().inputReader();
    Thread.ofPlatform().daemon().start(() -> hear(worker, reader));
  }

  private void hear(Fleet.Worker worker, BufferedReader reader) {
    var pid = worker.process().pid();
    try {
      for (var line = reader.readLine(); line != null; line = reader.readLine()) {
        var words = line.split(" ", -1);
        if (words[0].equals("ready")) {
          ready.add(worker);
        } else if (words[0].equals("begun") && words[words.length - 1].equals(WHOLE)) {
          var at = Instant.ofEpochMilli(Long.parseLong(words[3]));
          all.add(new Begin(words[1], Long.parseLong(words[2]), pid, at, Instant.now()));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether a worker said that it works, and is not gone since. */
  boolean works(Fleet.Worker worker) {
    return ready.contains(worker) && worker.process().isAlive();
  }

  List<Begin> all() {
    return List.copyOf(all);
  }
}
