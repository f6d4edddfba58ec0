package io.leasehold.proofs.stress;

import io.leasehold.jobs.JobRequest;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What becomes of a hundred running jobs when their worker is told to stop? */
final class Terminations {

  private static final int JOBS = 100;
  private static final Duration MOST = Duration.ofSeconds(3);

  private final StressServer server;
  private final Look look;

  Terminations(StressServer server) {
    this.server = server;
    this.look = new Look(server);
  }

  void run(Findings findings) throws IOException, SQLException, InterruptedException {
    try (var submitter = new Submitter(server.jdbcUrl())) {
      var worker = Fleet.start(server.jdbcUrl()).awaitReady();
      submitter.submit(3, requests());
      findings.require(
          look.awaitAtLeast(Freezes.running(1), JOBS, Duration.ofSeconds(20)),
          "all %d jobs run".formatted(JOBS));

      var took = worker.stop();

      findings.require(
          took.compareTo(MOST) <= 0,
          "ends within its grace of 2 s and one more: %d ms".formatted(took.toMillis()));
      var ready = look.count("SELECT count(*) FROM leasehold.ready");
      findings.require(ready == JOBS, "can be claimed at once: %d of %d".formatted(ready, JOBS));
    }
  }

  private static List<JobRequest<StressJobs.Work, Long>> requests() {
    var requests = new ArrayList<JobRequest<StressJobs.Work, Long>>();
    for (int i = 0; i < JOBS; i++) {
      var type = i % 2 == 0 ? StressJobs.PLAIN : StressJobs.TRANSACTIONAL;
      requests.add(type.request(new StressJobs.Work(60_000, false)).key("stop " + i));
    }
    return requests;
  }
}
