package io.leasehold.engine.work.events;

import io.leasehold.engine.log.PeriodicTaskLog;
import io.leasehold.engine.work.steps.Holder;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.ErrorCode.Blame;
import io.leasehold.jobs.JobsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jooq.JSON;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one attempt tells, on its way into the database. Safe to share between its threads.
 *
 * <p>One write at a time, and the next only when it is certain that the one before is committed: so
 * whoever has read an event has read all that were told before it. Between two writes there is a
 * pause, in which what is told is collected. Whoever tells first after it writes at once, on its
 * own thread, and hears if the lease is lost.
 */
public final class EventBuffer {

  private static final Logger log = LoggerFactory.getLogger(EventBuffer.class);

  private static final int WAITING_MAX = 1_000;
  private static final Duration LATER = Duration.ofMillis(100);

  /** Codes of failures after which the same may be written yet. */
  private static final Set<ErrorCode> PASSING =
      Set.of(
          ErrorCode.SERIALIZATION_FAILURE,
          ErrorCode.DEADLOCK,
          ErrorCode.STATEMENT_CANCELLED,
          ErrorCode.TRANSACTION_TIMEOUT,
          ErrorCode.INTERRUPTED,
          ErrorCode.DATABASE_UNREACHABLE,
          ErrorCode.DATABASE_FULL,
          ErrorCode.DATABASE_READ_ONLY,
          ErrorCode.DATABASE_DEGRADED,
          ErrorCode.OUTCOME_UNKNOWN);

  private final Holder holder;
  private final Writes writes;
  private final Pace pace;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by the lock.
  private final List<Telling> waiting = new ArrayList<>();
  private EventBatch batch = EventBatch.NONE; // Under way, or to be written again.
  private boolean writing;
  private boolean timed;
  private boolean closed;
  private boolean lost;
  private long notBefore = System.nanoTime();

  // Of whoever is writing.
  private int next = 1;
  private @Nullable EventQuota room;

  /** Nothing told yet. */
  public EventBuffer(Holder holder, Writes writes, Pace pace) {
    this.holder = holder;
    this.writes = writes;
    this.pace = pace;
  }

  /** Tells how far the work is; of several within a pause the last word counts. */
  public void progress(short percent, String note) {
    tell(Telling.progress(percent, note));
  }

  /** Tells something else. */
  public void event(String kind, JSON body) {
    tell(Telling.event(kind, body));
  }

  /** Tells that somebody asked for the job's end: soon, and not on this thread. */
  public void cancelRequested() {
    lock.lock();
    try {
      if (!closed && !lost) {
        waiting.add(Telling.cancelRequested());
        later();
      }
    } finally {
      lock.unlock();
    }
  }

  private void tell(Telling telling) {
    lock.lock();
    try {
      awaitRoom();
      requireOpen();
      if (telling.isProgress()) {
        waiting.removeIf(Telling::isProgress);
      }
      waiting.add(telling);
      if (writing || System.nanoTime() - notBefore < 0) {
        later();
        return;
      }
      writing = true;
    } finally {
      lock.unlock();
    }
    write();
  }

  private void requireOpen() {
    if (lost || closed) {
      throw lost ? holder.lost() : new IllegalStateException("the attempt is over");
    }
  }

  private void awaitRoom() {
    try {
      while (waiting.size() >= WAITING_MAX && !closed && !lost) {
        changed.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new JobsException(
          ErrorCode.INTERRUPTED, "interrupted while what was told before is written", e);
    }
  }

  // Has it written when the pause is over. Holds the lock.
  private void later() {
    if (!timed && !writing && !closed) {
      timed = true;
      Thread.ofVirtual().name("tell " + holder.id()).start(this::writeInTime);
    }
  }

  private void writeInTime() {
    lock.lock();
    try {
      for (var left = left(); left > 0 && !closed; left = left()) {
        left = changed.awaitNanos(left);
      }
      timed = false;
      if (closed || writing || isWritten()) {
        return; // Whoever writes, or closes, sees to the rest.
      }
      writing = true;
    } catch (InterruptedException e) {
      timed = false;
      return; // Nobody does that.
    } finally {
      lock.unlock();
    }
    try {
      write();
    } catch (RuntimeException e) {
      log.warn("what job {} told is not written: {}", holder.id(), PeriodicTaskLog.reason(e));
    }
  }

  private long left() {
    return notBefore - System.nanoTime();
  }

  private boolean isWritten() {
    return batch.isEmpty() && waiting.isEmpty();
  }

  /** Writes what there is; the caller has said that it is writing. */
  private void write() {
    try {
      var its = take();
      if (!its.isEmpty()) {
        writes.write(holder, its);
      }
      done(its);
    } catch (RuntimeException e) {
      failed(e);
    } finally {
      lock.lock();
      try {
        writing = false;
        if (!isWritten()) {
          later();
        }
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  private EventBatch take() {
    var room = room();
    lock.lock();
    try {
      notBefore = System.nanoTime() + pace.pause().toNanos();
      if (batch.isEmpty()) {
        batch = batch(room.admit(waiting));
        waiting.clear();
        changed.signalAll();
      }
      return batch;
    } finally {
      lock.unlock();
    }
  }

  private EventQuota room() {
    var its = room;
    if (its == null) {
      its = new EventQuota(pace.eventsMost(), writes.count(holder));
      room = its;
    }
    return its;
  }

  // Progress goes on though there is no room for its events.
  private EventBatch batch(List<Telling> its) {
    var progress =
        waiting.stream().flatMap(one -> one.progress().stream()).reduce((_, last) -> last);
    return new EventBatch(next, its, progress);
  }

  private void done(EventBatch its) {
    next = its.next();
    lock.lock();
    try {
      batch = EventBatch.NONE;
    } finally {
      lock.unlock();
    }
  }

  private void failed(RuntimeException e) {
    var code = e instanceof JobsException its ? its.code() : ErrorCode.STATEMENT_FAILED;
    if (isPassing(code)) {
      log.debug("what job {} told is written later", holder.id(), e);
      return;
    }
    lock.lock();
    try {
      next = batch.next();
      batch = EventBatch.NONE;
      if (code == ErrorCode.LEASE_LOST) {
        lost = true;
        waiting.clear();
      }
    } finally {
      lock.unlock();
    }
    throw e;
  }

  private static boolean isPassing(ErrorCode code) {
    return code.blame() == Blame.CAPACITY || PASSING.contains(code);
  }

  /**
   * Writes what is not written yet; from now on, nothing more is told. Returns when it is written,
   * or the lease is lost.
   *
   * @param gone whether the lease is known to be lost
   */
  public void close(BooleanSupplier gone) {
    var interrupted = Thread.interrupted();
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
      while (writing) {
        changed.awaitUninterruptibly();
      }
      interrupted |= Thread.interrupted();
      while (!isWritten() && !lost && !gone.getAsBoolean()) {
        writing = true;
        writeRest();
        interrupted |= Thread.interrupted();
      }
    } finally {
      lock.unlock();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  // Holds the lock, and does not while it writes.
  private void writeRest() {
    lock.unlock();
    try {
      write();
    } catch (RuntimeException e) {
      log.warn(
          "the last that job {} told is not written: {}", holder.id(), PeriodicTaskLog.reason(e));
    } finally {
      lock.lock();
    }
    if (!isWritten() && !lost) {
      lock.unlock();
      LockSupport.parkNanos(LATER.toNanos());
      lock.lock();
    }
  }
}
