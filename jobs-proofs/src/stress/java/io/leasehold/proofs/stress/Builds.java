package io.leasehold.proofs.stress;

import io.leasehold.proofs.stress.BuildJobs.Configuration;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Does every run begin after its build has succeeded, is each configuration built once, and do the
 * runs of a failed build fail with it, when workers are killed?
 */
final class Builds {

  private static final int WORKERS = 4;
  private static final int KILLS = 12;
  private static final int CONFIGURATIONS = 20;
  private static final int FAILING = 4;
  private static final int RUNS_OF_EACH = 10;
  private static final int RUNS = CONFIGURATIONS * RUNS_OF_EACH;
  private static final int RUNS_OF_FAILED = FAILING * RUNS_OF_EACH;
  private static final Duration MOST = Duration.ofMinutes(3);

  private static final String FINISHED = "SELECT count(*) FROM leasehold.outcome";
  private static final String JOBS_OF =
      "SELECT count(*) FROM leasehold.job LEFT JOIN leasehold.outcome USING (tenant_id, id)"
          + " WHERE handler_id = '%s'";

  private final Random random;
  private final StressServer server;
  private final Look look;

  Builds(long seed, StressServer server) {
    this.random = new Random(seed);
    this.server = server;
    this.look = new Look(server);
  }

  void run(Findings findings) throws IOException, SQLException, InterruptedException {
    var begins = new Begins();
    var inTheMiddle = 0;
    try (var submitter = new Submitter(server.jdbcUrl());
        var crew = new Crew(server.jdbcUrl(), WORKERS, begins)) {
      crew.awaitReady(WORKERS);
      var asked = asked();
      for (int kill = 0; kill < KILLS; kill++) {
        for (int i = kill; i < asked.size(); i += KILLS) {
          submitter.submitRuns(asked.get(i), 50 + random.nextInt(600));
        }
        Thread.sleep(random.nextInt(400));
        inTheMiddle += look.count("SELECT count(*) FROM leasehold.lease") > 0 ? 1 : 0;
        crew.anyAtWork(random).kill();
        crew.awaitReady(WORKERS - 1);
      }
      findings.require(
          look.awaitAtLeast(FINISHED, RUNS + CONFIGURATIONS, MOST),
          "all %d builds and runs end: %d".formatted(RUNS + CONFIGURATIONS, look.count(FINISHED)));
    }
    findings.require(
        inTheMiddle >= KILLS / 2,
        "%d workers killed, of which %d while jobs ran".formatted(KILLS, inTheMiddle));
    judge(findings);
  }

  /**
   * Which runs of which configuration to submit together. All runs of a configuration that fails
   * are submitted at once, because a run that is submitted after the failure gets another build.
   */
  private List<Asked> asked() {
    var all = new ArrayList<Asked>();
    for (int i = 0; i < CONFIGURATIONS; i++) {
      var fails = i < FAILING;
      var configuration =
          new Configuration("configuration " + i, fails, 200 + random.nextInt(2_000));
      if (fails) {
        all.add(new Asked(configuration, RUNS_OF_EACH));
      } else {
        all.addAll(Collections.nCopies(RUNS_OF_EACH, new Asked(configuration, 1)));
      }
    }
    Collections.shuffle(all, random);
    return all;
  }

  /** Some runs of a configuration. */
  record Asked(Configuration configuration, int runs) {}

  private void judge(Findings findings) throws SQLException {
    var builds = look.count(JOBS_OF.formatted(BuildJobs.BUILD.handler()));
    findings.require(
        builds == CONFIGURATIONS, "one build for each configuration: %d".formatted(builds));
    var runs = JOBS_OF.formatted(BuildJobs.RUN.handler());
    var succeeded = look.count(runs + " AND status = 'succeeded'");
    findings.require(
        succeeded == RUNS - RUNS_OF_FAILED,
        "runs of what was built that succeeded: %d of %d"
            .formatted(succeeded, RUNS - RUNS_OF_FAILED));
    var failed =
        look.count(
            runs
                + " AND status = 'failed' AND attempts = 0 AND started_at IS NULL AND error ="
                + " (SELECT concat('job ', build.id, ' (', build.handler_id, ') failed: ',"
                + " ended.error) FROM leasehold.dependency JOIN leasehold.job AS build ON"
                + " build.id = on_id JOIN leasehold.outcome AS ended ON ended.id = on_id WHERE"
                + " dependency.id = job.id AND strpos(ended.error, '%s') > 0)"
                    .formatted(BuildJobs.NO_COMPILER));
    findings.require(
        failed == RUNS_OF_FAILED,
        "runs of what could not be built that failed, never begun, and say why: %d of %d"
            .formatted(failed, RUNS_OF_FAILED));
    var began = look.count("SELECT count(DISTINCT job_id) FROM stress.effect WHERE kind = 'run'");
    findings.require(began == succeeded, "runs that began and saw their build: " + began);
    var early =
        look.count("SELECT count(*) FROM stress.effect WHERE kind = 'run too early'")
            + look.count(
                "SELECT count(*) FROM leasehold.dependency JOIN leasehold.outcome AS run USING"
                    + " (tenant_id, id) JOIN leasehold.outcome AS build ON build.id = on_id WHERE"
                    + " run.started_at < build.finished_at");
    findings.require(early == 0, "no run that began before its build had succeeded: " + early);
    var again = look.count("SELECT count(*) FROM leasehold.outcome WHERE attempts > 1");
    findings.require(
        again >= KILLS / 2,
        "builds and runs that began again after their worker was killed: " + again);
  }
}
