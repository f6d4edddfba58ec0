package io.leasehold.engine.inmemory.state;

import io.leasehold.jobs.JobId;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The clock of in-memory jobs, and the source of their ids, which contain the time. The clock is
 * this process's own: jobs that are not stored are never compared with the times of another clock.
 * Safe to share between threads.
 */
@Singleton
public final class MemoryClock {

  private static final int FRACTIONS = 1 << 12;
  private static final long VERSION = 0x7000;

  private final long origin = System.nanoTime();

  /** The newest id's milliseconds, followed by twelve bits for the fraction of a millisecond. */
  private final AtomicLong newest = new AtomicLong();

  @Inject
  public MemoryClock() {}

  public Instant now() {
    return Instant.now();
  }

  /** Returns the nanoseconds since this clock was created, for measuring durations. */
  public long nanos() {
    return System.nanoTime() - origin;
  }

  /** Returns a UUID of version 7 that is greater than all before. */
  public JobId newId() {
    var micros = ChronoUnit.MICROS.between(Instant.EPOCH, now());
    var here = micros / 1_000 * FRACTIONS + micros % 1_000 * FRACTIONS / 1_000;
    var ticks = newest.updateAndGet(before -> Math.max(before + 1, here));
    var random = UUID.randomUUID().getLeastSignificantBits();
    return new JobId(new UUID(((ticks / FRACTIONS) << 16) | VERSION | (ticks % FRACTIONS), random));
  }

  public static Instant createdAt(JobId id) {
    return Instant.ofEpochMilli(id.value().getMostSignificantBits() >>> 16);
  }
}
