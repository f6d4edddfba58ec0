package io.leasehold.rest.stream;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.history.JobWatch;
import io.leasehold.rest.http.Seldom;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The tails of all followed jobs: each is created for its first follower, and closed with its last
 * one.
 */
@Singleton
final class Tails {

  private final JobWatch watch;
  private final ReadTurns reads;
  private final Seldom<String> lines = new Seldom<>();
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock. */
  private final Map<Key, Shared> shared = new HashMap<>();

  private boolean closed;

  @Inject
  Tails(JobWatch watch, ReadTurns reads) {
    this.watch = watch;
    this.reads = reads;
  }

  /** Follows a job until the result is closed. Does not reveal whether the job exists. */
  Following follow(SecurityContext caller, JobId id) {
    var key = new Key(caller.tenant(), id);
    lock.lock();
    try {
      var entry = shared.computeIfAbsent(key, this::begin);
      entry.followers++;
      return new Following(key, entry.tail);
    } finally {
      lock.unlock();
    }
  }

  /** Closes all tails, including those requested later. */
  void close() {
    lock.lock();
    try {
      closed = true;
      shared.values().forEach(entry -> entry.tail.close());
    } finally {
      lock.unlock();
    }
  }

  int count() {
    lock.lock();
    try {
      return shared.size();
    } finally {
      lock.unlock();
    }
  }

  /** A shared tail belongs to the tenant, and not to the principal of the first follower. */
  private Shared begin(Key key) {
    var reader = SecurityContext.of("streams", key.tenant()).build();
    var tail = new Tail(reader, key.job(), reads, lines);
    if (closed) {
      tail.close();
    }
    return new Shared(tail, watch.watch(reader, key.job(), tail::changed));
  }

  private void leave(Key key) {
    lock.lock();
    try {
      var entry = shared.get(key);
      if (entry != null && --entry.followers == 0) {
        shared.remove(key);
        entry.watch.close();
        entry.tail.close();
      }
    } finally {
      lock.unlock();
    }
  }

  private record Key(TenantId tenant, JobId job) {}

  /** A tail and the number of its followers. */
  private static final class Shared {

    private final Tail tail;
    private final JobWatch.Watch watch;
    private int followers;

    private Shared(Tail tail, JobWatch.Watch watch) {
      this.tail = tail;
      this.watch = watch;
    }
  }

  /** One follower. */
  final class Following implements AutoCloseable {

    private final Key key;
    private final Tail tail;

    private Following(Key key, Tail tail) {
      this.key = key;
      this.tail = tail;
    }

    Tail tail() {
      return tail;
    }

    /** Stops following. Called once. */
    @Override
    public void close() {
      leave(key);
    }
  }
}
