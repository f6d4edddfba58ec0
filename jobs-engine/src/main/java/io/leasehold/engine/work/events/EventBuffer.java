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
 * Buffers what one attempt reports and writes it to the database. Thread-safe among the attempt's
 * threads.
 *
 * <p>There is one write at a time, and the next one starts only when the previous one is known to
 * be committed. A reader that has seen an event has therefore seen all earlier ones. Between two
 * writes there is a pause, in which reports are collected. The first report after the pause is
 * written immediately, on the caller's thread, and fails if the lease is lost.
 */
public final class EventBuffer {

  private static final Logger log = LoggerFactory.getLogger(EventBuffer.class);

  private static final int WAITING_MAX = 1_000;
  private static final Duration LATER = Duration.ofMillis(100);

  /** Error codes after which the same batch may still be written. */
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

  // A write is in progress (writing), a thread waits to write (timed), or neither (idle).
  //
  //          a report, and the pause is over               written, nothing waits
  //   idle ---------------------------------> writing -----------------------------> idle
  //     |                                     ^     |
  //     | a report in the pause               |     | written, and more waits;
  //     v                  the pause is over  |     v or it is to be written again
  //   timed ----------------------------------+   timed
  //
  // After close() no report is accepted and no thread waits: the closing thread takes the place of
  // timed, until all is written. A write that finds the lease lost discards all, and is the last.

  // Guarded by the lock.
  private final List<Telling> waiting = new ArrayList<>();
  private EventBatch batch = EventBatch.NONE; // In progress, or to be written again.
  private boolean writing;
  private boolean timed;
  private boolean closed;
  private boolean lost;
  private long notBefore = System.nanoTime();

  // Accessed only by the thread that is writing.
  private int next = 1;
  private @Nullable EventQuota room;

  /** Creates an empty buffer. */
  public EventBuffer(Holder holder, Writes writes, Pace pace) {
    this.holder = holder;
    this.writes = writes;
    this.pace = pace;
  }

  /** Reports progress. Of several reports within a pause, only the last one is kept. */
  public void progress(short percent, String note) {
    tell(Telling.progress(percent, note));
  }

  /** Reports any other event. */
  public void event(String kind, JSON body) {
    tell(Telling.event(kind, body));
  }

  /** Records soon, and on another thread, that a cancellation was requested. */
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
      throw lost ? holder.lost() : new IllegalStateException("the attempt has ended");
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

  // Schedules a write for the end of the pause. The caller holds the lock.
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
        return; // The thread that writes or closes also writes the rest.
      }
      writing = true;
    } catch (InterruptedException e) {
      timed = false;
      return; // Cannot happen: no code interrupts this thread.
    } finally {
      lock.unlock();
    }
    try {
      write();
    } catch (RuntimeException e) {
      log.warn("events of job {} could not be written: {}", holder.id(), PeriodicTaskLog.reason(e));
    }
  }

  private long left() {
    return notBefore - System.nanoTime();
  }

  private boolean isWritten() {
    return batch.isEmpty() && waiting.isEmpty();
  }

  /** Writes what is buffered. The caller has set {@code writing}. */
  private void write() {
    try {
      var taken = take();
      if (!taken.isEmpty()) {
        writes.write(holder, taken);
      }
      done(taken);
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
    var quota = room;
    if (quota == null) {
      quota = new EventQuota(pace.eventsMost(), writes.count(holder));
      room = quota;
    }
    return quota;
  }

  // Progress is still updated when there is no room left for its events.
  private EventBatch batch(List<Telling> tellings) {
    var progress =
        waiting.stream().flatMap(one -> one.progress().stream()).reduce((_, last) -> last);
    return new EventBatch(next, tellings, progress);
  }

  private void done(EventBatch written) {
    next = written.next();
    lock.lock();
    try {
      batch = EventBatch.NONE;
    } finally {
      lock.unlock();
    }
  }

  private void failed(RuntimeException e) {
    var code = e instanceof JobsException exception ? exception.code() : ErrorCode.STATEMENT_FAILED;
    if (isPassing(code)) {
      log.debug("events of job {} could not be written yet, retrying", holder.id(), e);
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
   * Writes what is not written yet; nothing more can be reported afterwards. Returns when
   * everything is written or the lease is lost.
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

  // Called with the lock held; releases it while writing.
  private void writeRest() {
    lock.unlock();
    try {
      write();
    } catch (RuntimeException e) {
      log.warn(
          "the last events of job {} could not be written: {}",
          holder.id(),
          PeriodicTaskLog.reason(e));
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
