package io.leasehold.engine.stress;

import static io.leasehold.engine.stress.StressJobs.PLAIN;
import static io.leasehold.engine.stress.StressJobs.TRANSACTIONAL;

import io.leasehold.jobs.JobRequest;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Are jobs lost or done twice when workers and the server are killed and frozen at random? Half of
 * the jobs are transactional.
 */
final class Storm {

  private static final int JOBS = 20_000;
  private static final int STEPS = 50;
  private static final int SERVER_KILLS = 8;
  private static final int WORKERS = 4;
  private static final String FINISHED = "SELECT count(*) FROM leasehold.outcome";

  private final SplittableRandom random;
  private final StressServer server;
  private final Look look;
  private final List<Fleet.Worker> workers = new ArrayList<>();
  private int submitted;
  private int workerKills;
  private int serverKills;
  private int freezes;

  Storm(long seed, StressServer server) {
    this.random = new SplittableRandom(seed);
    this.server = server;
    this.look = new Look(server);
  }

  void run(Findings findings) throws IOException, SQLException, InterruptedException {
    try (var submitter = new Submitter(server.jdbcUrl())) {
      for (int i = 0; i < WORKERS; i++) {
        workers.add(Fleet.start(server.jdbcUrl()).awaitReady());
      }
      for (int step = 0; step < STEPS; step++) {
        submit(submitter, JOBS / STEPS);
        look.awaitAtLeast(
            FINISHED, submitted - random.nextInt(JOBS / STEPS), Duration.ofSeconds(3));
        strike(step);
      }
      var isOver = look.awaitAtLeast(FINISHED, JOBS, Duration.ofMinutes(3));
      findings.require(isOver, "all jobs end: %d of %d".formatted(look.count(FINISHED), JOBS));
    } finally {
      for (var worker : workers) {
        worker.kill();
      }
    }
    System.out.printf(
        "  %d workers and %d servers killed, %d workers frozen%n",
        workerKills, serverKills, freezes);
    judge(findings);
  }

  private void submit(Submitter submitter, int jobs) {
    var requests = new ArrayList<JobRequest<?, ?>>();
    for (int i = 0; i < jobs; i++) {
      var type = submitted % 2 == 0 ? PLAIN : TRANSACTIONAL;
      // One in fifty works longer than a lease lasts.
      var millis = random.nextInt(50) == 0 ? 2_000 + random.nextInt(4_000) : random.nextInt(60);
      requests.add(type.request(millis).key("job " + submitted));
      submitted++;
    }
    submitter.submit(random.nextInt(Submitter.TENANTS), requests);
  }

  private void strike(int step) throws IOException, InterruptedException {
    if (step % (STEPS / SERVER_KILLS) == STEPS / SERVER_KILLS - 1) {
      server.crash();
      serverKills++;
    }
    var victim = random.nextInt(WORKERS);
    if (random.nextInt(5) == 0) {
      freezes++;
      workers.get(victim).freeze();
      Thread.sleep(Fleet.LEASE.plus(Fleet.RESCUE_EVERY).plusMillis(random.nextInt(1_500)));
      workers.get(victim).wake();
    } else {
      workerKills++;
      workers.get(victim).kill();
      workers.set(victim, Fleet.start(server.jdbcUrl()));
    }
  }

  private void judge(Findings findings) throws SQLException {
    none(findings, "jobs that did not succeed", "leasehold.outcome WHERE status <> 'succeeded'");
    none(
        findings,
        "jobs that are in a queue still",
        "(SELECT id FROM leasehold.ready UNION ALL SELECT id FROM leasehold.scheduled"
            + " UNION ALL SELECT id FROM leasehold.lease) AS its");
    none(
        findings,
        "transactional jobs without, or with a second effect",
        "leasehold.job WHERE handler_id LIKE '%.transactional.v1' AND 1 <>"
            + " (SELECT count(*) FROM stress.effect WHERE job_id = id)");
    none(
        findings,
        "plain jobs without an effect",
        "leasehold.job WHERE handler_id LIKE '%.plain.v1' AND 0 ="
            + " (SELECT count(*) FROM stress.effect WHERE job_id = id)");
    none(
        findings,
        "transactional effects of another attempt than the one that ended the job",
        "stress.effect JOIN leasehold.outcome ON outcome.id = job_id"
            + " WHERE kind = 'transactional' AND effect.token <> outcome.token");
    none(
        findings,
        "jobs that no effect's attempt has ended",
        "leasehold.outcome WHERE NOT EXISTS (SELECT FROM stress.effect"
            + " WHERE job_id = id AND effect.token = outcome.token)");
    var lost = look.count("SELECT count(*) FROM leasehold.attempt WHERE status = 'lost'");
    findings.require(lost > 0, "some attempts were lost: %d".formatted(lost));
  }

  private void none(Findings findings, String what, String from) throws SQLException {
    var count = look.count("SELECT count(*) FROM " + from);
    findings.require(count == 0, "no %s: %d".formatted(what, count));
  }
}
