package io.leasehold.proofs.stress;

import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Does a worker that is cut off from the database stop its handlers before others take its jobs?
 */
final class Cuts {

  private static final int JOBS = 50;

  private final StressServer server;
  private final Look look;

  Cuts(StressServer server) {
    this.server = server;
    this.look = new Look(server);
  }

  void run(Findings findings) throws IOException, SQLException, InterruptedException {
    var go = Files.createTempDirectory("leasehold-go-").resolve("go");
    try (var submitter = new Submitter(server.jdbcUrl());
        var way = server.newRelay()) {
      var url = server.jdbcUrl().replaceFirst(":[0-9]+/", ":" + way.port() + "/");
      var lonely = Fleet.start(url).awaitReady();
      submitter.submit(2, Freezes.requests("cut", go.toString()));
      findings.require(Freezes.haveBegun(lonely), "all %d jobs run".formatted(JOBS));
      var other = Fleet.start(server.jdbcUrl()).awaitReady();

      way.cut();
      Map<String, Long> interruptedAt = new HashMap<>();
      for (var told : Freezes.told(lonely)) {
        interruptedAt.put(told[1], Long.parseLong(told[2]));
      }
      findings.require(
          look.awaitAtLeast(Freezes.running(2), JOBS, Duration.ofSeconds(20)),
          "another worker has taken all");

      judge(findings, interruptedAt);
      Files.createFile(go);
      lonely.kill();
      other.kill();
    }
  }

  private void judge(Findings findings, Map<String, Long> interruptedAt) throws SQLException {
    var before = 0;
    var least = Long.MAX_VALUE;
    for (var row :
        look.rows(
            "SELECT id || ' ' || floor(extract(epoch FROM attempt_started_at) * 1000)::bigint"
                + " FROM leasehold.lease WHERE attempt = 2")) {
      var columns = row.split(" ", -1);
      var ahead =
          Long.parseLong(columns[1]) - interruptedAt.getOrDefault(columns[0], Long.MAX_VALUE);
      before += ahead > 0 ? 1 : 0;
      least = Math.min(least, ahead);
    }
    findings.require(
        before == JOBS,
        "interrupted before the takeover: %d of %d, by %d ms at least"
            .formatted(before, JOBS, least));
  }
}
