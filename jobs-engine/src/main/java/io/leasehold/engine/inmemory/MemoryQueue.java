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
 * The places of all in-memory jobs: waiting for a slot or for their time, running, or finished.
 * Each move is made under one lock, and takes at most logarithmic time in the number of jobs. Safe
 * to share between threads.
 */
@Singleton
final class MemoryQueue {

  private final Places places;
  private final MemoryKeys keys;
  private final MemoryClock clock;
  private final Duration kept;
  private final int keptMost;

  /** By id, newest first. */
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

  /** Returns all jobs, newest first. */
  Stream<MemoryJob> newest() {
    return byId.values().stream();
  }

  /** Returns the jobs after this one, newest first. */
  Stream<MemoryJob> behind(JobId id) {
    return byId.tailMap(id.value(), false).values().stream();
  }

  /** Adds a new job that already has its place in {@link Places}. */
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
   * Gives a free slot to the next job; empty if there is no free slot or no waiting job.
   *
   * @param begin starts an attempt of the job
   */
  synchronized Optional<MemoryJob> start(int slots, Consumer<MemoryJob> begin) {
    if (running >= slots) {
      return Optional.empty();
    }
    var job = turns.poll();
    job.ifPresent(
        next -> {
          begin.accept(next);
          next.place(Place.RUNNING);
          running++;
        });
    return job;
  }

  /** Frees the slot of a thread that has ended. */
  synchronized void freeSlot() {
    running--;
  }

  /** Puts off a job on behalf of its attempt; does nothing if that attempt was given up. */
  synchronized void again(
      MemoryJob job, RunningJob attempt, Duration delay, UnaryOperator<Life> change) {
    if (runs(job, attempt)) {
      job.change(change);
      queue(job, delay);
    }
  }

  /** Ends a job on behalf of its attempt; does nothing if that attempt was given up. */
  synchronized void endAttempt(MemoryJob job, RunningJob attempt, UnaryOperator<Life> change) {
    if (runs(job, attempt)) {
      end(job, change);
    }
  }

  private static boolean runs(MemoryJob job, RunningJob attempt) {
    return job.place() == Place.RUNNING && job.held() == attempt;
  }

  /** Takes a job out of the queue, unless it is running or finished. */
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

  /** Returns a withdrawn job to its former position in the queue. */
  synchronized void putBack(MemoryJob job) {
    if (job.place() == Place.WITHDRAWN) {
      queue(job, Duration.ofNanos(Math.max(0, job.dueAt() - clock.nanos())));
    }
  }

  /** Makes a job that is due later run now. */
  synchronized boolean hurry(MemoryJob job, UnaryOperator<Life> change) {
    if (job.place() != Place.LATER) {
      return false;
    }
    later.remove(job);
    job.change(change);
    queue(job, Duration.ZERO);
    return true;
  }

  /** Ends a job and frees its place. Returns whether it had not ended before. */
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

  /** Queues a finished job again, for which a place has been taken. */
  synchronized boolean revive(MemoryJob job, UnaryOperator<Life> change) {
    if (job.place() != Place.OVER) {
      return false;
    }
    over.remove(job.asked().id());
    queue(job, Duration.ZERO);
    job.change(change);
    return true;
  }

  /** Removes a job, unless it is running. */
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
    job.change(life -> life); // Threads that wait for its end must stop waiting.
    return true;
  }

  /** Marks a running job for removal when it ends. A finished job is removed now. */
  synchronized void removeAtEnd(MemoryJob job) {
    job.deleteAtEnd();
    if (job.place() == Place.OVER) {
      remove(job);
    }
  }

  /**
   * Queues jobs that are due, and removes jobs that ended long ago. Returns whether any job became
   * due.
   */
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

  /** Returns whether no job is running, waiting, or due within {@code most}. */
  synchronized boolean isQuietFor(Duration most) {
    return running == 0
        && turns.isEmpty()
        && (later.isEmpty() || later.first().dueAt() - clock.nanos() > most.toNanos());
  }

  /** Returns the jobs that have not finished. */
  List<MemoryJob> unfinished() {
    return byId.values().stream().filter(job -> !job.life().status().isFinal()).toList();
  }
}
