package io.leasehold.engine.inmemory.state;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.HandlerId;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.TenantId;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that hold keys. A caller waits for a key that was taken in an open transaction, as it
 * would in the database. Safe to share between threads.
 */
@Singleton
public final class MemoryKeys {

  /** How long a caller waits for another transaction. */
  private static final int WAIT_SECONDS = 10;

  private final Map<Key, Holder> holders = new ConcurrentHashMap<>();

  @Inject
  public MemoryKeys() {}

  private record Key(TenantId tenant, HandlerId handler, String key) {

    static Optional<Key> of(AskedJob asked) {
      return asked.key().map(key -> new Key(asked.tenant(), asked.handler().type().handler(), key));
    }
  }

  /** The job that holds a key, once its transaction has ended. */
  private static final class Holder {

    private final JobId id;
    private final CountDownLatch settled = new CountDownLatch(1);
    private volatile @Nullable ScopedTransaction tx;

    private Holder(JobId id, ScopedTransaction tx) {
      this.id = id;
      this.tx = tx;
    }
  }

  /**
   * Returns the job that already holds the key, if that is known without waiting for a transaction.
   */
  public Optional<JobId> taken(TenantId tenant, HandlerId handler, String key) {
    return Optional.ofNullable(holders.get(new Key(tenant, handler, key)))
        .filter(holder -> holder.settled.getCount() == 0)
        .map(holder -> holder.id);
  }

  /** Takes the key in a transaction, or returns the job that holds it. */
  public Optional<JobId> take(AskedJob asked, ScopedTransaction tx) {
    return Key.of(asked).flatMap(key -> take(key, new Holder(asked.id(), tx)));
  }

  private Optional<JobId> take(Key key, Holder mine) {
    while (true) {
      var other = holders.putIfAbsent(key, mine);
      if (other == null) {
        return Optional.empty();
      }
      if (other.settled.getCount() == 0 || Objects.equals(other.tx, mine.tx)) {
        return Optional.of(other.id);
      }
      await(key, other);
    }
  }

  private static void await(Key key, Holder other) {
    try {
      if (!other.settled.await(WAIT_SECONDS, TimeUnit.SECONDS)) {
        throw new JobsException(
            ErrorCode.LOCK_TIMEOUT,
            "another transaction holds the key %s for longer than %d s"
                .formatted(key.key(), WAIT_SECONDS));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new JobsException(ErrorCode.INTERRUPTED, "the thread is interrupted", e);
    }
  }

  /** Reports the end of a transaction in which a key was taken. */
  public void settle(AskedJob asked, boolean committed) {
    Key.of(asked)
        .ifPresent(
            key -> {
              var holder = holders.get(key);
              if (holder != null && holder.id.equals(asked.id())) {
                if (!committed) {
                  holders.remove(key, holder);
                }
                holder.tx = null;
                holder.settled.countDown();
              }
            });
  }

  /** Frees the key of a removed job. */
  public void free(AskedJob asked) {
    Key.of(asked)
        .ifPresent(
            key ->
                holders.computeIfPresent(
                    key, (_, holder) -> holder.id.equals(asked.id()) ? null : holder));
  }
}
