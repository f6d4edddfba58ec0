package io.leasehold.engine;

import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.history.EventCursor;
import io.leasehold.jobs.history.JobWatch.Watch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Reads a job's history and status when it is told to, and never by itself. */
final class Follower implements AutoCloseable {

  private static final Duration SOON = Duration.ofSeconds(20);

  private final RunningEngine engine;
  private final JobId id;
  private final ExecutorService reads = Executors.newSingleThreadExecutor();
  private final List<String> kinds = new CopyOnWriteArrayList<>();
  private final AtomicInteger calls = new AtomicInteger();
  private final Watch watch;
  private volatile EventCursor cursor = EventCursor.BEGIN;
  private volatile Optional<JobStatus> status = Optional.empty();

  private Follower(RunningEngine engine, JobId id) {
    this.engine = engine;
    this.id = id;
    this.watch =
        engine
            .watch()
            .watch(
                Works.CALLER,
                id,
                () -> {
                  calls.incrementAndGet();
                  reads.execute(this::look);
                });
  }

  static Follower of(RunningEngine engine, JobId id) {
    return new Follower(engine, id);
  }

  /** Waits until no call comes any more but for what happens. */
  static Follower settled(RunningEngine engine, JobId id) {
    var follower = of(engine, id);
    var without = new AtomicInteger();
    var absent = new JobId(UUID.randomUUID());
    try (var _ = engine.watch().watch(Works.CALLER, absent, without::incrementAndGet)) {
      await().until(() -> without.get() >= 2);
    }
    return follower;
  }

  private void look() {
    engine
        .jobs()
        .events(Works.CALLER, id, cursor, 1_000)
        .ifPresent(
            page -> {
              page.events().forEach(event -> kinds.add(event.kind()));
              cursor = page.next();
            });
    status = engine.jobs().find(Works.CALLER, id).map(job -> job.status());
  }

  int calls() {
    return calls.get();
  }

  List<String> kinds() {
    return kinds;
  }

  /** Waits until it has read of this, which may be there already. */
  void awaitKind(String kind) {
    await()
        .alias(kind + " in " + kinds)
        .atMost(SOON)
        .pollInterval(Duration.ofMillis(5))
        .until(() -> kinds.contains(kind));
  }

  void awaitStatus(JobStatus expected) {
    await().atMost(SOON).until(() -> status.equals(Optional.of(expected)));
  }

  void awaitGone() {
    await().atMost(SOON).until(() -> calls.get() > 0 && status.isEmpty());
  }

  @Override
  public void close() {
    watch.close();
    reads.close();
  }
}
