package io.leasehold.rest.stream;

import io.leasehold.jobs.EventCursor;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.rest.http.Seldom;
import io.leasehold.rest.problem.Failures;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a job's history, for all who follow the job: told that something happened, it reads
 * that once. While nothing happens it reads nothing and has no thread.
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

  /** What was read; nothing before the first follower came to the end by itself. */
  private Optional<Ring> ring = Optional.empty();

  /** Something happened that was not read yet. Guarded by the lock, as is all that follows. */
  private boolean stale;

  private boolean reading;
  private boolean over;
  private boolean gone;
  private boolean closed;

  /** How often anything of this changed. */
  private long version;

  Tail(SecurityContext reader, JobId id, ReadTurns reads, Seldom<String> lines) {
    this.reader = reader;
    this.id = id;
    this.reads = reads;
    this.lines = lines;
  }

  /** Something happened, perhaps. Returns at once. */
  void changed() {
    lock.lock();
    try {
      stale = true;
      readIfStale();
    } finally {
      lock.unlock();
    }
  }

  /** A follower has read up to here by itself, and there was no more. */
  void begin(EventCursor end) {
    lock.lock();
    try {
      // Who came first may have named a place that is behind all there is.
      var isBeforeAll = !reading && ring.filter(its -> !its.reachesBackTo(end)).isPresent();
      if (ring.isEmpty() || isBeforeAll) {
        ring = Optional.of(new Ring(end));
        stale = true; // The follower may have looked before the watch began.
        readIfStale();
      }
    } finally {
      lock.unlock();
    }
  }

  /** What there is behind a place; nothing if a follower has to read that by itself. */
  Optional<Look> lookBehind(EventCursor place) {
    lock.lock();
    try {
      return ring.filter(its -> its.reachesBackTo(place) && !(over && isAhead(place, its)))
          .map(its -> new Look(its.after(place), over, gone || closed, version));
    } finally {
      lock.unlock();
    }
  }

  /** For a follower that reads by itself: nothing of what there is, and since when to wait. */
  Look look() {
    lock.lock();
    try {
      return new Look(List.of(), false, gone || closed, version);
    } finally {
      lock.unlock();
    }
  }

  // Whoever is further than was read here has to look for itself: perhaps the job was retried.
  private static boolean isAhead(EventCursor place, Ring its) {
    return place.compareTo(its.end()) > 0;
  }

  /** Waits until there may be something else to see than at a look. */
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

  /** Lets all followers end. */
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
        // Whatever it is: without another attempt, all who follow the job would wait for ever.
        tell(e);
        pause();
      }
    }
  }

  /** An outage meets all tails at once, every second. */
  private void tell(RuntimeException failure) {
    var kind = Failures.kindOf(failure);
    lines
        .next(kind)
        .ifPresent(
            keptBack ->
                log.warn(
                    "what followers of a job wait for cannot be read at present: {} ({} more"
                        + " since this was told last)",
                    kind,
                    keptBack));
    log.debug("what followers of a job wait for cannot be read", failure);
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
      // Written before the lock is taken, for which the one thread of all watches may wait.
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

  /** What failed is tried again, unless nobody follows any more. */
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
   * @param events behind its place
   * @param isOver whether the job is over, and these are the last
   * @param isClosed whether there is nothing to follow any more: the job is gone, or the server
   *     stops
   * @param version of the tail
   */
  record Look(List<SentEvent> events, boolean isOver, boolean isClosed, long version) {}
}
