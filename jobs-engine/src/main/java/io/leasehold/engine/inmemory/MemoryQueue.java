package io.leasehold.engine.inmemory;

import io.leasehold.engine.inmemory.MemoryJob.Life;
import io.leasehold.engine.inmemory.MemoryJob.Place;
import io.leasehold.engine.inmemory.state.MemoryClock;
import io.leasehold.engine.inmemory.state.MemoryKeys;
import io.leasehold.engine.inmemory.state.MemoryTerms;
import io.leasehold.engine.inmemory.state.Places;
import io.leasehold.engine.kernel.IdOrder;
import io.leasehold.engine.work.attempt.RunningJob;
import io.leasehold.jobs.JobId;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Where the jobs in memory are: waiting for a slot or their time, running, over. Each move is made
 * under one lock, and none takes longer with more jobs than their number's logarithm. Safe to share
 * between threads.
 */
@Singleton
final class MemoryQueue {

  private final Places places;
  private final MemoryKeys keys;
  private final MemoryClock clock;
  private final Duration kept;
  private final int keptMost;

  /** By their ids, the newest first. */
  private final ConcurrentNavigableMap<UUID, MemoryJob> byId =
      new ConcurrentSkipListMap<UUID, MemoryJob>(IdOrder.UNSIGNED.reversed());

  // Guarded by this.
  private final TenantTurns turns = new TenantTurns();
  private final NavigableSet<MemoryJob> later =
      new TreeSet<>(
          Comparator.<MemoryJob>comparingLong(MemoryJob::dueAt)
              .thenComparingLong(MemoryJob::order));
  private final SequencedMap<JobId, MemoryJob> over = new LinkedHashMap<>();
  private int running;

  @Inject
  MemoryQueue(Places places, MemoryKeys keys, MemoryClock clock, MemoryTerms terms) {
    this.places = places;
    this.keys = keys;
    this.clock = clock;
    this.kept = terms.kept();
    this.keptMost = terms.capacity();
  }

  Optional<MemoryJob> find(JobId id) {
    return Optional.ofNullable(byId.get(id.value()));
  }

  /** All, the newest first. */
  Stream<MemoryJob> newest() {
    return byId.values().stream();
  }

  /** Those behind this one, the newest first. */
  Stream<MemoryJob> behind(JobId id) {
    return byId.tailMap(id.value(), false).values().stream();
  }

  /** Takes in a job that was nowhere, and has its place. */
  synchronized void enter(MemoryJob job, Duration delay) {
    byId.put(job.asked().id().value(), job);
    queue(job, delay);
  }

  private void queue(MemoryJob job, Duration delay) {
    if (delay.isPositive()) {
      job.place(Place.LATER);
      job.dueAt(clock.nanos() + delay.toNanos());
      later.add(job);
    } else {
      job.place(Place.WAITING);
      turns.add(job);
    }
  }

  /**
   * Gives a slot to the job whose turn it is, if there is one of each.
   *
   * @param begin makes it one that runs
   */
  synchronized Optional<MemoryJob> start(int slots, Consumer<MemoryJob> begin) {
    if (running >= slots) {
      return Optional.empty();
    }
    var job = turns.poll();
    job.ifPresent(
        its -> {
          begin.accept(its);
          its.place(Place.RUNNING);
          running++;
        });
    return job;
  }

  /** A thread that had a slot has ended. */
  synchronized void freeSlot() {
    running--;
  }

  /** Puts a job off whose attempt this is; not if it is given up. */
  synchronized void again(
      MemoryJob job, RunningJob attempt, Duration delay, UnaryOperator<Life> change) {
    if (runs(job, attempt)) {
      job.change(change);
      queue(job, delay);
    }
  }

  /** Ends a job whose attempt this is; not if it is given up. */
  synchronized void endAttempt(MemoryJob job, RunningJob attempt, UnaryOperator<Life> change) {
    if (runs(job, attempt)) {
      end(job, change);
    }
  }

  private static boolean runs(MemoryJob job, RunningJob attempt) {
    return job.place() == Place.RUNNING && job.held() == attempt;
  }

  /** Takes a job out of the queue that neither runs nor is over. */
  synchronized boolean withdraw(MemoryJob job) {
    if (!takeOut(job)) {
      return false;
    }
    job.place(Place.WITHDRAWN);
    return true;
  }

  private boolean takeOut(MemoryJob job) {
    if (job.place() == Place.WAITING) {
      turns.remove(job);
      return true;
    }
    if (job.place() == Place.LATER) {
      later.remove(job);
      return true;
    }
    return false;
  }

  /** What was withdrawn is back, at its old place. */
  synchronized void putBack(MemoryJob job) {
    if (job.place() == Place.WITHDRAWN) {
      queue(job, Duration.ofNanos(Math.max(0, job.dueAt() - clock.nanos())));
    }
  }

  /** Lets a job that is due later run now. */
  synchronized boolean hurry(MemoryJob job, UnaryOperator<Life> change) {
    if (job.place() != Place.LATER) {
      return false;
    }
    later.remove(job);
    job.change(change);
    queue(job, Duration.ZERO);
    return true;
  }

  /** Ends a job, and gives its place back. Answers whether it had not ended before. */
  synchronized boolean end(MemoryJob job, UnaryOperator<Life> change) {
    if (job.place() == Place.OVER || job.place() == Place.NOWHERE) {
      return false;
    }
    takeOut(job);
    job.place(Place.OVER);
    places.giveBack(job.asked().handler().type().handler());
    job.dueAt(clock.nanos());
    job.change(change);
    over.putLast(job.asked().id(), job);
    if (job.isDeletedAtEnd()) {
      remove(job);
    } else if (over.size() > keptMost) {
      remove(over.firstEntry().getValue());
    }
    return true;
  }

  /** Queues a job anew that is over, and was given a place for it. */
  synchronized boolean revive(MemoryJob job, UnaryOperator<Life> change) {
    if (job.place() != Place.OVER) {
      return false;
    }
    over.remove(job.asked().id());
    queue(job, Duration.ZERO);
    job.change(change);
    return true;
  }

  /** Removes a job that does not run. */
  synchronized boolean remove(MemoryJob job) {
    if (job.place() == Place.RUNNING || job.place() == Place.NOWHERE) {
      return false;
    }
    takeOut(job);
    if (job.place() != Place.OVER) {
      places.giveBack(job.asked().handler().type().handler());
    }
    over.remove(job.asked().id());
    byId.remove(job.asked().id().value());
    keys.free(job.asked());
    job.place(Place.NOWHERE);
    job.change(life -> life); // Who waits for its end need not wait longer.
    return true;
  }

  /** Has a running job removed when it ends, or else does so now. */
  synchronized void removeAtEnd(MemoryJob job) {
    job.deleteAtEnd();
    if (job.place() == Place.OVER) {
      remove(job);
    }
  }

  /** Moves what is due, and forgets what ended long ago. Answers whether anything is due. */
  synchronized boolean tidy() {
    var now = clock.nanos();
    var moved = false;
    while (!later.isEmpty() && later.first().dueAt() <= now) {
      queue(later.removeFirst(), Duration.ZERO);
      moved = true;
    }
    while (!over.isEmpty() && now - over.firstEntry().getValue().dueAt() >= kept.toNanos()) {
      remove(over.firstEntry().getValue());
    }
    return moved;
  }

  /** Whether nothing runs, or will within so long. */
  synchronized boolean isQuietFor(Duration most) {
    return running == 0
        && turns.isEmpty()
        && (later.isEmpty() || later.first().dueAt() - clock.nanos() > most.toNanos());
  }

  /** Those that are not over. */
  List<MemoryJob> unfinished() {
    return byId.values().stream().filter(job -> !job.life().status().isFinal()).toList();
  }
}
