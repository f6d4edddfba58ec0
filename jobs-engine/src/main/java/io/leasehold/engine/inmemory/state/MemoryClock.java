package io.leasehold.engine.inmemory.state;

import io.leasehold.jobs.JobId;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The time of jobs in memory, and their ids, which tell it. It is this process's own: what is not
 * stored is compared with nothing that another clock told. Safe to share between threads.
 */
@Singleton
public final class MemoryClock {

  private static final int FRACTIONS = 1 << 12;
  private static final long VERSION = 0x7000;

  private final long origin = System.nanoTime();

  /** Of the newest id: its milliseconds, and twelve bits of the fraction of one. */
  private final AtomicLong newest = new AtomicLong();

  @Inject
  MemoryClock() {}

  public Instant now() {
    return Instant.now();
  }

  /** Nanoseconds since this was made: what measures durations. */
  public long nanos() {
    return System.nanoTime() - origin;
  }

  /** A UUID of version 7, greater than all before. */
  public JobId newId() {
    var micros = ChronoUnit.MICROS.between(Instant.EPOCH, now());
    var here = micros / 1_000 * FRACTIONS + micros % 1_000 * FRACTIONS / 1_000;
    var its = newest.updateAndGet(before -> Math.max(before + 1, here));
    var random = UUID.randomUUID().getLeastSignificantBits();
    return new JobId(new UUID(((its / FRACTIONS) << 16) | VERSION | (its % FRACTIONS), random));
  }

  public static Instant createdAt(JobId id) {
    return Instant.ofEpochMilli(id.value().getMostSignificantBits() >>> 16);
  }
}
