package io.leasehold.rest.stream;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.history.EventCursor;
import io.leasehold.rest.http.Seldom;
import io.leasehold.rest.problem.Failures;
import io.leasehold.rest.stream.write.Portion;
import io.leasehold.rest.stream.write.SentEvent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a job's history, shared by all streams of the job: when it is notified of a change, it
 * reads the change once. While nothing happens it reads nothing and uses no thread.
 */
final class Tail {

  private static final Logger log = LoggerFactory.getLogger(Tail.class);
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

  private final SecurityContext reader;
  private final JobId id;
  private final ReadTurns reads;
  private final Seldom<String> lines;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition news = lock.newCondition();

  /** The events read so far; empty until the first follower has reached the end by itself. */
  private Optional<Ring> ring = Optional.empty();

  /** Whether there may be unread events. Guarded by the lock, like all fields below. */
  private boolean stale;

  private boolean reading;
  private boolean over;
  private boolean gone;
  private boolean closed;

  /** Counts the changes of this object. */
  private long version;

  Tail(SecurityContext reader, JobId id, ReadTurns reads, Seldom<String> lines) {
    this.reader = reader;
    this.id = id;
    this.reads = reads;
    this.lines = lines;
  }

  /** Reports a possible change. Returns at once. */
  void changed() {
    lock.lock();
    try {
      stale = true;
      readIfStale();
    } finally {
      lock.unlock();
    }
  }

  /** Reports that a follower has read up to this position by itself, and no events followed. */
  void begin(EventCursor end) {
    lock.lock();
    try {
      // The first follower may have given a position past the end of the history.
      var isBeforeAll = !reading && ring.filter(recent -> !recent.reachesBackTo(end)).isPresent();
      if (ring.isEmpty() || isBeforeAll) {
        ring = Optional.of(new Ring(end));
        stale = true; // The follower may have read before the watch began.
        readIfStale();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns the events after a position; empty if a follower has to read them by itself. */
  Optional<Look> lookBehind(EventCursor place) {
    lock.lock();
    try {
      return ring.filter(recent -> recent.reachesBackTo(place) && !(over && isAhead(place, recent)))
          .map(recent -> new Look(recent.after(place), over, gone || closed, version));
    } finally {
      lock.unlock();
    }
  }

  /** Returns the version to wait on, without events, for a follower that reads by itself. */
  Look look() {
    lock.lock();
    try {
      return new Look(List.of(), false, gone || closed, version);
    } finally {
      lock.unlock();
    }
  }

  // A follower that is ahead of the tail has to read by itself: perhaps the job was retried.
  private static boolean isAhead(EventCursor place, Ring recent) {
    return place.compareTo(recent.end()) > 0;
  }

  /** Waits until there may be something new since a look. */
  void awaitNews(Look seen, Duration most) throws InterruptedException {
    var left = most.toNanos();
    lock.lock();
    try {
      while (version == seen.version() && left > 0) {
        left = news.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Ends all followers. */
  void close() {
    lock.lock();
    try {
      closed = true;
      tellNews();
    } finally {
      lock.unlock();
    }
  }

  private void readIfStale() {
    if (stale && !reading && !closed && ring.isPresent()) {
      reading = true;
      Thread.ofVirtual().name("tail").start(this::readOn);
    }
  }

  private void readOn() {
    while (isToRead()) {
      try {
        readToEnd();
      } catch (RuntimeException e) {
        // Retries after any exception: otherwise all followers of the job would wait forever.
        tell(e);
        pause();
      }
    }
  }

  /** An outage affects all tails at once, every second. */
  private void tell(RuntimeException failure) {
    var kind = Failures.kindOf(failure);
    lines
        .next(kind)
        .ifPresent(
            keptBack ->
                log.warn(
                    "the events that followers of a job wait for cannot be read: {} ({} more"
                        + " since the last such line)",
                    kind,
                    keptBack));
    log.debug("the events that followers of a job wait for cannot be read", failure);
  }

  private boolean isToRead() {
    lock.lock();
    try {
      reading = stale && !closed;
      stale = false;
      return reading;
    } finally {
      lock.unlock();
    }
  }

  private void readToEnd() {
    var portions = reads.portions(reader, id);
    var more = true;
    while (more) {
      var portion = portions.behind(end());
      // Formatted before the lock is taken, because the only thread of all watches may be waiting
      // for the lock.
      var sent = portion.map(Portion::sent).orElse(List.of());
      lock.lock();
      try {
        gone = portion.isEmpty();
        sent.forEach(this::add);
        over = portion.filter(Portion::isOver).isPresent();
        more = portion.filter(Portion::hasMore).isPresent();
        tellNews();
      } finally {
        lock.unlock();
      }
    }
  }

  private EventCursor end() {
    lock.lock();
    try {
      return ring.orElseThrow().end();
    } finally {
      lock.unlock();
    }
  }

  private void add(SentEvent event) {
    ring.orElseThrow().add(event);
  }

  private void tellNews() {
    version++;
    news.signalAll();
  }

  /** Waits before the retry after a failure; returns early when the last follower has left. */
  private void pause() {
    lock.lock();
    try {
      stale = true;
      var left = AFTER_FAILURE.toNanos();
      while (!closed && left > 0) {
        left = news.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  /**
   * What a follower saw.
   *
   * @param events the events after its position
   * @param isOver whether the job has finished, and these are the last events
   * @param isClosed whether there is nothing left to follow: the job is gone, or the server stops
   * @param version the version of the tail
   */
  record Look(List<SentEvent> events, boolean isOver, boolean isClosed, long version) {}
}
