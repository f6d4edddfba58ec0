package io.leasehold.proofs.stress;

import io.leasehold.proofs.stress.StressJobs.Work;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * On a server that compiles statements by LLVM: how much of a processor do idle workers cost it,
 * and do jobs that wait for others begin in time beside busy processes?
 */
final class Jit {

  private static final int WORKERS = 3;
  private static final int BURNERS = 4;
  private static final int FAMILIES_PER_SECOND = 10;
  private static final Duration BEFORE = Duration.ofSeconds(20);
  private static final Duration IDLE = Duration.ofSeconds(60);
  private static final Duration LOAD = Duration.ofSeconds(60);
  private static final Duration REST_MOST = Duration.ofSeconds(60);
  private static final double CORES_MOST = 0.02;
  private static final long LATE_MOST_MILLIS = 2_000;

  // From the end of the last job that a job waited for to its start.
  private static final String LATE =
      """
      FROM (
        SELECT extract(epoch FROM child.started_at - max(parent.finished_at)) * 1000 AS late
        FROM leasehold.dependency
        JOIN leasehold.outcome AS parent ON parent.tenant_id = dependency.tenant_id
          AND parent.id = dependency.on_id
        JOIN leasehold.outcome AS child ON child.tenant_id = dependency.tenant_id
          AND child.id = dependency.id
        GROUP BY child.id, child.started_at) AS started
      """;

  private final PackagedServer packaged;
  private final StressServer server;
  private final Look look;

  Jit(PackagedServer packaged, StressServer server) {
    this.packaged = packaged;
    this.server = server;
    this.look = new Look(server);
  }

  void run(Findings findings) throws IOException, SQLException {
    var compiles = "SELECT (pg_jit_available() AND current_setting('jit')::boolean)::integer";
    findings.require(look.count(compiles) == 1, "the server compiles statements");
    var processes = new ArrayList<Process>();
    try {
      for (int i = 0; i < WORKERS; i++) {
        processes.add(ready(Fleet.launch(WorkerMain.class, Map.of(), server.jdbcUrl(), "usual")));
      }
      judgeIdle(findings);
      for (int i = 0; i < BURNERS; i++) {
        processes.add(ready(Fleet.launch(Burner.class, Map.of())));
      }
      judgeLoad(findings);
    } finally {
      for (var process : processes) {
        process.destroyForcibly().onExit().join();
      }
    }
  }

  private static Process ready(Process process) throws IOException {
    var line = process.inputReader().readLine();
    if (!"ready".equals(line)) {
      throw new IllegalStateException("the process said %s".formatted(line));
    }
    Thread.ofPlatform().daemon().start(() -> process.inputReader().lines().forEach(_ -> {}));
    return process;
  }

  private void judgeIdle(Findings findings) {
    LockSupport.parkNanos(BEFORE.toNanos());
    var before = packaged.processorTime();
    var begin = System.nanoTime();
    LockSupport.parkNanos(IDLE.toNanos());
    var used = packaged.processorTime().minus(before);
    var cores = (double) used.toNanos() / (System.nanoTime() - begin);
    findings.require(
        cores <= CORES_MOST,
        "%d idle workers use at most %.2f of a core of the server: %.4f over %d s"
            .formatted(WORKERS, CORES_MOST, cores, IDLE.toSeconds()));
  }

  private void judgeLoad(Findings findings) throws SQLException {
    try (var submitter = new Submitter(server.jdbcUrl())) {
      var families = (int) LOAD.toSeconds() * FAMILIES_PER_SECOND;
      var begin = System.nanoTime();
      for (int i = 0; i < families; i++) {
        var at = begin + TimeUnit.SECONDS.toNanos(1) * i / FAMILIES_PER_SECOND;
        LockSupport.parkNanos(at - System.nanoTime());
        submitter.submitFamily(i, new Work(5, false));
      }
      var took = Duration.ofNanos(System.nanoTime() - begin);
      findings.require(
          took.compareTo(LOAD.multipliedBy(2)) < 0,
          "%d dependents, reuses and batches each are submitted in %d s"
              .formatted(families, took.toSeconds()));
      judgeEnd(findings, families);
    }
  }

  private void judgeEnd(Findings findings, int families) throws SQLException {
    var jobs = look.count("SELECT count(*) FROM leasehold.job");
    findings.require(
        look.awaitAtLeast("SELECT count(*) FROM leasehold.outcome", jobs, REST_MOST),
        "none is stuck: %d of %d jobs end"
            .formatted(look.count("SELECT count(*) FROM leasehold.outcome"), jobs));
    for (var table : List.of("waiting", "dependency_note")) {
      var left = look.count("SELECT count(*) FROM leasehold." + table);
      findings.require(left == 0, "nothing is left in %s: %d".formatted(table, left));
    }
    var dependents = look.count("SELECT count(*) " + LATE);
    var typical = late(0.5);
    var p99 = late(0.99);
    var most = look.count("SELECT max(late)::bigint " + LATE);
    findings.require(
        dependents >= families && p99 <= LATE_MOST_MILLIS,
        "%d dependents start after their parents' ends: p50 %d ms, p99 %d ms, last %d ms"
            .formatted(dependents, typical, p99, most));
  }

  private long late(double share) throws SQLException {
    return look.count(
        "SELECT percentile_disc(%s) WITHIN GROUP (ORDER BY late)::bigint ".formatted(share) + LATE);
  }
}
