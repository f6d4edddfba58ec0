package io.leasehold.engine.stress;

import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Duration;

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
    var never = Files.createTempDirectory("leasehold-go-").resolve("never");
    try (var submitter = new Submitter(server.jdbcUrl())) {
      var worker = Fleet.start(server.jdbcUrl()).awaitReady();
      submitter.submit(3, Freezes.requests("stop a", never.toString()));
      submitter.submit(3, Freezes.requests("stop b", never.toString()));
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
}
