package io.leasehold.proofs.stress;

import io.leasehold.jobs.JobRequest;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Is a finished step of a job ever done again, when its workers are killed at random points? */
final class Steps {

  private static final int KILLS = 20;
  private static final int JOBS_OF_EACH = 5;
  private static final int JOBS = KILLS * JOBS_OF_EACH * StepJobs.TYPES.size();
  private static final int SUM = StepJobs.STEPS * (StepJobs.STEPS - 1) / 2;
  private static final int MILLIS_UNTIL_KILLED = 1_000;
  private static final Duration MOST = Duration.ofSeconds(60);

  private final SplittableRandom random;
  private final StressServer server;
  private final Look look;

  Steps(long seed, StressServer server) {
    this.random = new SplittableRandom(seed);
    this.server = server;
    this.look = new Look(server);
  }

  void run(Findings findings) throws IOException, SQLException, InterruptedException {
    var inTheMiddle = 0;
    try (var submitter = new Submitter(server.jdbcUrl())) {
      for (int kill = 0; kill < KILLS; kill++) {
        var ofTheDead = look.count("SELECT coalesce(max(token), 0) FROM leasehold.lease");
        var worker = Fleet.start(server.jdbcUrl()).awaitReady();
        submitter.submit(kill, requests(kill));
        // Half of them before or in the first steps of a new process, half of them behind steps.
        var begun = random.nextBoolean() ? "leasehold.lease" : "leasehold.step";
        look.awaitAtLeast(
            "SELECT count(*) FROM " + begun + " WHERE token > " + ofTheDead, JOBS_OF_EACH, MOST);
        Thread.sleep(random.nextInt(MILLIS_UNTIL_KILLED));
        worker.kill();
        inTheMiddle += look.count("SELECT count(*) FROM leasehold.lease") > 0 ? 1 : 0;
      }
      var last = Fleet.start(server.jdbcUrl()).awaitReady();
      findings.require(
          look.awaitAtLeast("SELECT count(*) FROM leasehold.outcome", JOBS, MOST),
          "all %d jobs end".formatted(JOBS));
      last.kill();
    }
    findings.require(
        inTheMiddle == KILLS,
        "%d workers killed, of which %d in the middle of jobs".formatted(KILLS, inTheMiddle));
    judge(findings);
  }

  private List<JobRequest<Integer, Integer>> requests(int kill) {
    var requests = new ArrayList<JobRequest<Integer, Integer>>();
    for (var type : StepJobs.TYPES) {
      for (int i = 0; i < JOBS_OF_EACH; i++) {
        requests.add(type.request(20 + random.nextInt(60)).key("steps %d %d".formatted(kill, i)));
      }
    }
    return requests;
  }

  private void judge(Findings findings) throws SQLException {
    var right =
        look.count(
            "SELECT count(*) FROM leasehold.outcome WHERE status = 'succeeded'"
                + " AND result::text = '%d'".formatted(SUM));
    findings.require(
        right == JOBS,
        "all succeed with what their steps returned: %d of %d".formatted(right, JOBS));
    var resumed =
        look.count(
            "SELECT count(DISTINCT step.id) FROM leasehold.step JOIN leasehold.outcome ON"
                + " outcome.id = step.id WHERE step.token < outcome.token");
    findings.require(
        resumed >= KILLS, "jobs that went on behind steps of an attempt before: " + resumed);
    none(
        findings,
        "finished steps done again",
        "stress.effect JOIN leasehold.step ON step.id = job_id AND step.name = kind"
            + " WHERE effect.token > step.token");
    none(
        findings,
        "steps done again that a checkpoint told of",
        "stress.effect WHERE kind = 'repeated'");
    exactlyOnce(findings, StepJobs.TOGETHER.handler().value(), "its own transaction");
    exactlyOnce(findings, StepJobs.WHOLE.handler().value(), "the job's transaction");
  }

  private void exactlyOnce(Findings findings, String handler, String where) throws SQLException {
    var of = " FROM stress.effect JOIN leasehold.job ON job.id = job_id WHERE handler_id = '%s'";
    var all = look.count("SELECT count(*)" + of.formatted(handler));
    var each = look.count("SELECT count(DISTINCT (job_id, kind))" + of.formatted(handler));
    var wanted = (long) KILLS * JOBS_OF_EACH * StepJobs.STEPS;
    findings.require(
        all == wanted && each == wanted,
        "effects of steps in %s: %d of %d, each once".formatted(where, all, wanted));
  }

  private void none(Findings findings, String what, String from) throws SQLException {
    var count = look.count("SELECT count(*) FROM " + from);
    findings.require(count == 0, "no %s: %d".formatted(what, count));
  }
}
