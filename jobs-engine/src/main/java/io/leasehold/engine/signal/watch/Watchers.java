package io.leasehold.engine.signal.watch;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The watchers of jobs in this process, by the jobs' hashes. Safe to share between threads. */
final class Watchers {

  private static final Logger log = LoggerFactory.getLogger(Watchers.class);

  private final Map<Long, Watched> byJob = new ConcurrentHashMap<>();

  /** A watcher. Two watchers are different even if they run the same code. */
  static final class Watcher {

    private final Runnable changed;

    Watcher(Runnable changed) {
      this.changed = changed;
    }

    private void call() {
      try {
        changed.run();
      } catch (RuntimeException e) { // The other watchers must be called all the same.
        log.error("job watch callback failed", e);
      }
    }
  }

  /** A job that has at least one watcher. */
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

  /**
   * Adds a watcher of a job. Returns the new entry if the job had no watcher before, and null
   * otherwise.
   */
  @Nullable Watched add(long job, Watcher watcher) {
    var fresh = new Watched();
    var current =
        byJob.compute(
            job,
            (_, known) -> {
              var watched = known == null ? fresh : known;
              watched.watchers.add(watcher);
              return watched;
            });
    return current == fresh ? current : null;
  }

  /** Removes a watcher, and with the last watcher the job. */
  void remove(long job, Watcher watcher) {
    byJob.computeIfPresent(
        job,
        (_, watched) -> {
          watched.watchers.remove(watcher);
          return watched.watchers.isEmpty() ? null : watched;
        });
  }
}
