package io.leasehold.proofs.stress;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Compares all records with their jobs, each time at one moment, until it is stopped. */
final class MirrorWitness {

  private static final String DIFFERENCES =
      """
      SELECT format('record %s is %s, and job %s %s', link.record_id,
        (run.status, run.requested_at, run.started_at, run.finished_at, run.error), link.id,
        (job.status, job.created_at, job.started_at, job.finished_at, job.last_error))
      FROM leasehold.mirror_record AS link
      JOIN stress.run ON run.tenant_id = link.tenant_id AND run.id = link.record_id
      LEFT JOIN leasehold.job_status_v AS job
        ON job.tenant_id = link.tenant_id AND job.job_id = link.id
      WHERE (run.status, run.requested_at, run.started_at, run.finished_at, run.error)
        IS DISTINCT FROM (job.status, job.created_at, job.started_at, job.finished_at,
          CASE WHEN job.finished_at IS NOT NULL THEN job.last_error END)
        AND NOT EXISTS (
          SELECT FROM leasehold.mirror_behind AS behind WHERE behind.record_id = link.record_id)
      """;
  private static final String RUNNING = "SELECT count(*) FROM leasehold.lease";
  private static final String BEHIND = "SELECT -count(*) FROM leasehold.mirror_behind";
  private static final Duration SETTLED_IN = Duration.ofSeconds(20);

  private final Look look;
  private final List<String> differences = new CopyOnWriteArrayList<>();
  private final AtomicInteger looks = new AtomicInteger();
  private final AtomicInteger busyLooks = new AtomicInteger();
  private final Thread thread = new Thread(this::compare, "witness");
  private volatile boolean stops;

  MirrorWitness(StressServer server) {
    this.look = new Look(server);
  }

  void start() {
    thread.setDaemon(true);
    thread.start();
  }

  void stop() throws InterruptedException {
    stops = true;
    thread.join();
  }

  private void compare() {
    while (!stops) {
      try {
        var running = look.count(RUNNING);
        differences.addAll(look.rows(DIFFERENCES));
        looks.incrementAndGet();
        busyLooks.addAndGet(running > 0 ? 1 : 0);
        LockSupport.parkNanos(5_000_000);
      } catch (SQLException e) {
        LockSupport.parkNanos(50_000_000); // The server is down, and will come back.
      }
    }
  }

  /** Whether all that was noted to be behind is up to date soon. */
  boolean settles() throws SQLException {
    return look.awaitAtLeast(BEHIND, 0, SETTLED_IN);
  }

  int looks() {
    return looks.get();
  }

  int busyLooks() {
    return busyLooks.get();
  }

  List<String> differences() {
    return List.copyOf(differences);
  }

  String summary() {
    return "all records compared %d times, %d times while jobs ran"
        .formatted(looks.get(), busyLooks.get());
  }
}
