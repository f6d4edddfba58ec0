package io.leasehold.proofs.stress;

import io.leasehold.jobs.JobRequest;
import io.leasehold.proofs.stress.OutageJobs.Load;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;

/**
 * What becomes of jobs whose handlers write and end while the database takes no writes? Each of
 * them has one attempt: none may fail, and all end soon after the database writes again.
 */
final class Outages {

  private static final int WORKERS = 2;
  private static final int JOBS = 60;
  private static final int JOBS_MEANWHILE = 10;

  /** Short beside {@link #SOON}: those that begin after the outage take as long after it. */
  private static final int WORK_MILLIS_MOST = 2_000;

  private static final Duration SOON = Duration.ofSeconds(10);
  private static final Duration REST_MOST = Duration.ofSeconds(90);

  /** As in production: longer than an outage here. */
  private static final Duration LEASE = Duration.ofSeconds(60);

  private static final String FINISHED = "SELECT count(*) FROM leasehold.outcome";

  private final SplittableRandom random;
  private final StressServer server;
  private final Fault fault;
  private final Look look;
  private final int rounds;
  private final Duration length;
  private final List<Duration> recoveries = new ArrayList<>();
  private int submitted;

  /** Those that handlers submit among them. */
  private int expected;

  Outages(long seed, StressServer server, Fault fault, int rounds, Duration length) {
    this.random = new SplittableRandom(seed);
    this.server = server;
    this.fault = fault;
    this.rounds = rounds;
    this.length = length;
    this.look = new Look(server);
  }

  void run(Findings findings) throws IOException, SQLException, InterruptedException {
    try (var submitter = new Submitter(fault.jdbcUrl());
        var crew = new Crew(fault.jdbcUrl(), WORKERS, new Begins(), LEASE)) {
      crew.awaitReady(WORKERS);
      for (int round = 0; round < rounds; round++) {
        strike(submitter, findings);
      }
    }
    judge(findings);
  }

  private void strike(Submitter submitter, Findings findings)
      throws IOException, SQLException, InterruptedException {
    submit(submitter, JOBS, "before");
    fault.strike();
    var meanwhile = Thread.ofPlatform().start(() -> submit(submitter, JOBS_MEANWHILE, "meanwhile"));
    Thread.sleep(length);
    fault.mend();
    var mendedAt = System.nanoTime();
    meanwhile.join();
    var all = awaitAll();
    var took = Duration.ofNanos(System.nanoTime() - mendedAt);
    recoveries.add(took);
    findings.require(
        all && took.compareTo(SOON) <= 0,
        "round %d: all %d jobs have ended %d ms after the fault was mended"
            .formatted(recoveries.size(), expected, took.toMillis()));
  }

  private void submit(Submitter submitter, int jobs, String when) {
    var requests = new ArrayList<JobRequest<?, ?>>();
    for (int i = 0; i < jobs; i++) {
      var type = OutageJobs.ALL.get(submitted % OutageJobs.ALL.size());
      var load = new Load(random.nextInt(WORK_MILLIS_MOST), random.nextInt(20_000));
      requests.add(type.request(load).key("%s %d".formatted(when, submitted)));
      submitted++;
      expected += type.equals(OutageJobs.SUBMISSION) ? 2 : 1;
    }
    submitter.submit(random.nextInt(Submitter.TENANTS), requests);
  }

  // The server may be about to start.
  private boolean awaitAll() throws InterruptedException {
    var deadline = System.nanoTime() + REST_MOST.toNanos();
    while (System.nanoTime() - deadline < 0) {
      try {
        if (look.awaitAtLeast(FINISHED, expected, Duration.ofSeconds(1))) {
          return true;
        }
      } catch (SQLException e) {
        Thread.sleep(50);
      }
    }
    return false;
  }

  private void judge(Findings findings) throws SQLException, IOException {
    var longest = recoveries.stream().max(Comparator.naturalOrder()).orElseThrow();
    System.out.printf("  the longest recovery took %d ms%n", longest.toMillis());
    var refusals =
        Pattern.compile(fault.refusal()).matcher(new ServerProcess(server.folder()).log());
    findings.require(
        refusals.find(),
        "the server refused %d statements".formatted(1 + refusals.results().count()));
    none(findings, "jobs that did not succeed", "leasehold.outcome WHERE status <> 'succeeded'");
    none(findings, "attempts that counted", "leasehold.outcome WHERE attempts <> 1");
    look.rows(
            "SELECT handler_id || ' ' || outcome.status || ' ' || attempts || ' ' ||"
                + " coalesce(outcome.error, '') || ' ' || coalesce((SELECT"
                + " string_agg(attempt.status, ',') FROM leasehold.attempt"
                + " WHERE attempt.id = outcome.id), '') FROM leasehold.outcome"
                + " JOIN leasehold.job USING (tenant_id, id)"
                + " WHERE outcome.status <> 'succeeded' OR attempts <> 1")
        .forEach(row -> System.out.println("  " + row));
    none(
        findings,
        "jobs that are in a queue still",
        "(SELECT id FROM leasehold.ready UNION ALL SELECT id FROM leasehold.scheduled"
            + " UNION ALL SELECT id FROM leasehold.lease) AS left_over");
    var putOff = look.count("SELECT count(*) FROM leasehold.attempt WHERE status = 'put_off'");
    System.out.printf("  attempts that were put back: %d%n", putOff);
    judgeEffects(findings);
  }

  private void judgeEffects(Findings findings) throws SQLException {
    none(
        findings,
        "transactional jobs without, or with a second effect",
        "leasehold.job WHERE handler_id LIKE '%.effect.v1' AND 1 <>"
            + " (SELECT count(*) FROM stress.effect WHERE job_id = id)");
    var jobs = look.count("SELECT count(*) FROM leasehold.job");
    findings.require(
        jobs == expected, "each job is there once: %d of %d".formatted(jobs, expected));
  }

  private void none(Findings findings, String what, String from) throws SQLException {
    var count = look.count("SELECT count(*) FROM " + from);
    findings.require(count == 0, "no %s: %d".formatted(what, count));
  }
}
