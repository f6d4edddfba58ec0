package io.leasehold.engine.signal.watch;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who watches which jobs in this process, by their hashes. Safe to share between threads. */
final class Watchers {

  private static final Logger log = LoggerFactory.getLogger(Watchers.class);

  private final Map<Long, Watched> byJob = new ConcurrentHashMap<>();

  /** One who watches: itself alone, whatever it runs. */
  static final class Watcher {

    private final Runnable changed;

    Watcher(Runnable changed) {
      this.changed = changed;
    }

    private void call() {
      try {
        changed.run();
      } catch (RuntimeException e) { // The others are called all the same.
        log.error("somebody who watches a job could not be told of it", e);
      }
    }
  }

  /** A job for as long as somebody watches it. */
  static final class Watched {

    private final Set<Watcher> watchers = ConcurrentHashMap.newKeySet();

    void call() {
      watchers.forEach(Watcher::call);
    }
  }

  boolean isEmpty() {
    return byJob.isEmpty();
  }

  Collection<Long> jobs() {
    return List.copyOf(byJob.keySet());
  }

  @Nullable Watched find(long job) {
    return byJob.get(job);
  }

  /** Adds one who watches a job; answers what that is from now on if nobody watched it before. */
  @Nullable Watched add(long job, Watcher watcher) {
    var fresh = new Watched();
    var its =
        byJob.compute(
            job,
            (_, known) -> {
              var watched = known == null ? fresh : known;
              watched.watchers.add(watcher);
              return watched;
            });
    return its == fresh ? its : null;
  }

  /** Takes one away; the job is forgotten with the last. */
  void remove(long job, Watcher watcher) {
    byJob.computeIfPresent(
        job,
        (_, watched) -> {
          watched.watchers.remove(watcher);
          return watched.watchers.isEmpty() ? null : watched;
        });
  }
}
