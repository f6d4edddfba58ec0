package io.leasehold.proofs.stress;

import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.schedules.ScheduleRequest;
import io.leasehold.proofs.stress.StressJobs.Work;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What becomes of leads, leases, delays and schedules when the server's clock goes ahead by an hour
 * and back, and the leading worker is killed at that moment? All go on within two leases.
 */
final class ClockBack {

  private static final int ROUNDS = 10;
  private static final int WORKERS = 2;
  private static final int RUNNING = 20;
  private static final int DELAYED = 10;
  private static final int SLOTS = 4;
  private static final Duration AHEAD = Duration.ofHours(1);
  private static final Duration AHEAD_FOR = Duration.ofSeconds(3);
  private static final Duration TWO_LEASES = Fleet.LEASE.multipliedBy(2);
  private static final Duration MOST = Duration.ofMinutes(1);

  /** Longer than a lease and less than two. */
  private static final Work WORK = new Work(5_000, false);

  private static final String LED_IN_TIME =
      " worker_id <> '%s' AND until BETWEEN clock_timestamp() AND clock_timestamp() + interval"
          + " '1 min'";

  private final StressServer server;
  private final ServerClock clock;
  private final Look look;
  private final Begins begins = new Begins();

  ClockBack(StressServer server, ServerClock clock) {
    this.server = server;
    this.clock = clock;
    this.look = new Look(server);
  }

  /** A job that was to begin at a time, which is true. */
  private record Due(String job, Instant at) {}

  void run(Findings findings) throws IOException, SQLException, InterruptedException {
    try (var submitter = new Submitter(server.jdbcUrl());
        var crew = new Crew(server.jdbcUrl(), WORKERS, begins)) {
      crew.awaitReady(WORKERS);
      submitter.put(
          0, ScheduleRequest.of("every-second", "* * * * * *", ClockJobs.DELAYED.request(0)));
      for (int round = 1; round <= ROUNDS; round++) {
        System.out.printf("  round %d%n", round);
        round(findings, submitter, crew);
      }
    }
  }

  private void round(Findings findings, Submitter submitter, Crew crew)
      throws IOException, SQLException, InterruptedException {
    crew.awaitReady(WORKERS);
    clock.set(AHEAD);
    LockSupport.parkNanos(AHEAD_FOR.toNanos());
    submitter.submit(1, requests(RUNNING, StressJobs.PLAIN.request(WORK)));
    require(look.awaitAtLeast("SELECT count(*) FROM leasehold.lease", RUNNING, MOST), "jobs run");
    var due = delayed(submitter);

    var leader = leader();
    var victim = victim(crew, leader);
    victim.kill();
    clock.set(Duration.ZERO);
    var back = Instant.now();

    judgeLeads(findings, leader, back);
    judgeLeases(findings, leader, back);
    judgeSchedule(findings, back);
    judgeDelays(findings, due);
    judgeEnds(findings, crew);
  }

  private static List<JobRequest<?, ?>> requests(int count, JobRequest<?, ?> request) {
    var requests = new ArrayList<JobRequest<?, ?>>();
    for (int i = 0; i < count; i++) {
      requests.add(request);
    }
    return requests;
  }

  private List<Due> delayed(Submitter submitter) {
    var due = new ArrayList<Due>();
    for (int i = 0; i < DELAYED; i++) {
      var delay = Duration.ofMillis(1_000 + 400L * i);
      var request = ClockJobs.DELAYED.request((int) delay.toMillis()).delay(delay);
      var earliest = Instant.now().plus(delay);
      var id = submitter.submit(2, List.of(request)).getFirst().jobId();
      due.add(new Due(id.toString(), earliest));
    }
    return due;
  }

  private String leader() throws SQLException {
    return look.rows("SELECT worker_id FROM leasehold.leader WHERE duty = 'rescue'").getFirst();
  }

  private Fleet.Worker victim(Crew crew, String leader) throws SQLException {
    var name =
        look.rows("SELECT name FROM leasehold.worker WHERE id = '%s'".formatted(leader)).getFirst();
    for (int i = 0; i < WORKERS; i++) {
      if (name.equals("pid " + crew.member(i).process().pid())) {
        return crew.member(i);
      }
    }
    throw new IllegalStateException("the leader is none of the crew: " + name);
  }

  private void judgeLeads(Findings findings, String dead, Instant back) throws SQLException {
    var led =
        "SELECT count(*) FROM leasehold.leader WHERE duty IN ('rescue', 'cancels') AND"
            + LED_IN_TIME.formatted(dead);
    var isLed = look.awaitAtLeast(led, 2, left(back, TWO_LEASES));
    findings.require(isLed, "rescue and cancels are led: %d ms".formatted(since(back)));
    // A worker looks for this lead every five seconds, and it lasts for ten.
    var tidied =
        "SELECT count(*) FROM leasehold.leader WHERE duty = 'registry' AND"
            + LED_IN_TIME.formatted(dead);
    findings.require(
        look.awaitAtLeast(tidied, 1, left(back, Duration.ofSeconds(20))),
        "the registry is led: %d ms".formatted(since(back)));
  }

  private void judgeLeases(Findings findings, String dead, Instant back) throws SQLException {
    var none =
        "SELECT (count(*) = 0)::integer FROM leasehold.lease WHERE worker_id = '%s'"
            .formatted(dead);
    var isRescued = look.awaitAtLeast(none, 1, left(back, TWO_LEASES));
    findings.require(isRescued, "all lost jobs are rescued: %d ms".formatted(since(back)));
  }

  private void judgeSchedule(Findings findings, Instant back) throws SQLException {
    var fired =
        "SELECT count(*) FROM leasehold.job WHERE metadata->>'schedule' = 'every-second'"
            + " AND leasehold.created_at(id) < clock_timestamp()"
            + " AND (metadata->>'slot')::timestamptz > '%s'".formatted(back);
    var isFired = look.awaitAtLeast(fired, 1, left(back, TWO_LEASES));
    findings.require(isFired, "the schedule fires again: %d ms".formatted(since(back)));
    var goesOn = look.awaitAtLeast(fired, look.count(fired) + SLOTS, TWO_LEASES);
    findings.require(goesOn, "and goes on: %d more slots".formatted(SLOTS));
  }

  private void judgeDelays(Findings findings, List<Due> due) throws InterruptedException {
    var last = due.stream().map(Due::at).max(Instant::compareTo).orElseThrow();
    while (Instant.now().isBefore(last.plus(TWO_LEASES)) && !haveBegun(due)) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
    var late =
        due.stream()
            .mapToLong(
                job ->
                    begins.all().stream()
                        .filter(begin -> begin.job().equals(job.job()))
                        .mapToLong(begin -> Duration.between(job.at(), begin.at()).toMillis())
                        .min()
                        .orElse(Long.MAX_VALUE))
            .summaryStatistics();
    findings.require(
        late.getMin() >= 0 && late.getMax() <= TWO_LEASES.toMillis(),
        "delayed jobs begin in time: first %d ms late, last %d ms"
            .formatted(late.getMin(), late.getMax()));
  }

  private boolean haveBegun(List<Due> due) {
    var begun = begins.all().stream().map(Begins.Begin::job).toList();
    return due.stream().map(Due::job).allMatch(begun::contains);
  }

  private void judgeEnds(Findings findings, Crew crew) throws IOException, SQLException {
    crew.awaitReady(WORKERS);
    var open =
        "SELECT (count(*) = 0)::integer FROM leasehold.job LEFT JOIN leasehold.outcome"
            + " USING (tenant_id, id) WHERE queue = 'stress' AND outcome.id IS NULL";
    findings.require(look.awaitAtLeast(open, 1, MOST), "all jobs end");
    var failed = "SELECT count(*) FROM leasehold.outcome WHERE status <> 'succeeded'";
    findings.require(look.count(failed) == 0, "none fails: %d".formatted(look.count(failed)));
    var twice =
        look.count(
            "SELECT count(*) - count(DISTINCT id) FROM leasehold.attempt WHERE status = 'lost'");
    findings.require(twice == 0, "none is taken from a worker that lives: %d".formatted(twice));
  }

  private static Duration left(Instant back, Duration most) {
    return Duration.between(Instant.now(), back.plus(most));
  }

  private static long since(Instant back) {
    return Duration.between(back, Instant.now()).toMillis();
  }

  private static void require(boolean isSo, String what) {
    if (!isSo) {
      throw new IllegalStateException("not so: " + what);
    }
  }
}
