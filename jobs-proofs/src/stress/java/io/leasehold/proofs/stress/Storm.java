package io.leasehold.proofs.stress;

import static io.leasehold.proofs.stress.StressJobs.PLAIN;
import static io.leasehold.proofs.stress.StressJobs.TRANSACTIONAL;

import io.leasehold.jobs.JobRequest;
import io.leasehold.proofs.stress.StressJobs.Work;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Are jobs lost or done twice when workers and the server are killed and frozen at random, and how
 * soon do the jobs of killed workers begin again? Half of the jobs are transactional.
 */
final class Storm {

  private static final int JOBS = 20_000;
  private static final int WORKER_KILLS = 40;
  private static final int FREEZES = 10;
  private static final int STEPS = WORKER_KILLS + FREEZES;
  private static final int SERVER_KILLS = 8;
  private static final int WORKERS = 4;

  // A storm comes to its end on any machine, and with any fault.
  private static final Duration STRIKES_MOST = Duration.ofMinutes(10);
  private static final Duration REST_MOST = Duration.ofSeconds(75);
  private static final String FINISHED = "SELECT count(*) FROM leasehold.outcome";

  private final SplittableRandom random;
  private final StressServer server;
  private final Look look;
  private final Begins begins = new Begins();
  private final Orphans orphans = new Orphans();
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
    try (var submitter = new Submitter(server.jdbcUrl());
        var crew = new Crew(server.jdbcUrl(), WORKERS, begins)) {
      crew.awaitReady(WORKERS);
      var calm = System.nanoTime() + STRIKES_MOST.toNanos();
      var freezing = freezing();
      for (int step = 0; step < STEPS; step++) {
        if (System.nanoTime() - calm < 0) {
          strike(step, freezing.get(step), submitter, crew);
        } else {
          submit(submitter, false);
        }
      }
      findings.require(
          awaitEnd(crew),
          "all jobs end, %d s after the last were submitted at most: %d of %d"
              .formatted(REST_MOST.toSeconds(), look.count(FINISHED), JOBS));
    }
    System.out.printf(
        "  %d workers and %d servers killed, %d workers frozen%n",
        workerKills, serverKills, freezes);
    findings.require(
        workerKills == WORKER_KILLS && serverKills == SERVER_KILLS && freezes == FREEZES,
        "the storm strikes as often as it should within %d s".formatted(STRIKES_MOST.toSeconds()));
    new Aftermath(look, findings).judge();
    orphans.judge(findings, look, begins);
  }

  private List<Boolean> freezing() {
    var freezing = new ArrayList<>(Collections.nCopies(FREEZES, true));
    freezing.addAll(Collections.nCopies(WORKER_KILLS, false));
    Collections.shuffle(freezing, random);
    return freezing;
  }

  private boolean awaitEnd(Crew crew) throws IOException, SQLException {
    var deadline = System.nanoTime() + REST_MOST.toNanos();
    while (!look.awaitAtLeast(FINISHED, JOBS, Duration.ofSeconds(1))) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      crew.revive();
    }
    return true;
  }

  private void strike(int step, boolean freezes, Submitter submitter, Crew crew)
      throws IOException, SQLException, InterruptedException {
    // Jobs of a killed worker need others to begin again on: two work at any time.
    crew.awaitReady(freezes ? WORKERS : WORKERS - 1);
    submit(submitter, freezes);
    if (!freezes) {
      look.awaitAtLeast(FINISHED, submitted - random.nextInt(JOBS / STEPS), Duration.ofSeconds(3));
    }
    if (step % (STEPS / SERVER_KILLS) == STEPS / SERVER_KILLS - 1) {
      killServer();
    }
    var victim = crew.member(random.nextInt(WORKERS));
    if (freezes) {
      freeze(victim);
    } else {
      kill(victim);
      crew.revive();
    }
  }

  private void submit(Submitter submitter, boolean deaf) {
    var requests = new ArrayList<JobRequest<?, ?>>();
    for (int i = 0; i < JOBS / STEPS; i++) {
      var type = submitted % 2 == 0 ? PLAIN : TRANSACTIONAL;
      requests.add(type.request(work(deaf)).key("job " + submitted));
      submitted++;
    }
    submitter.submit(random.nextInt(Submitter.TENANTS), requests);
  }

  // One in fifty works longer than a lease lasts. Where a worker will be frozen, one in ten is over
  // when it wakes, and another worker is at work on it.
  private Work work(boolean deaf) {
    if (deaf && random.nextInt(10) == 0) {
      return new Work(3_000 + random.nextInt(1_500), true);
    }
    return new Work(
        random.nextInt(50) == 0 ? 2_000 + random.nextInt(4_000) : random.nextInt(60), false);
  }

  private void freeze(Fleet.Worker victim) throws IOException, InterruptedException {
    Thread.sleep(500);
    var since = Instant.now();
    victim.freeze();
    Thread.sleep(Fleet.LEASE.plus(Fleet.RESCUE_EVERY).plusMillis(1_000 + random.nextInt(500)));
    victim.wake();
    orphans.workerWasFrozen(since);
    freezes++;
  }

  private void killServer() throws IOException, InterruptedException {
    var since = Instant.now();
    server.crash();
    orphans.serverWasAway(since);
    serverKills++;
  }

  private void kill(Fleet.Worker victim) throws IOException, InterruptedException {
    orphans.killed(victim);
    victim.kill();
    workerKills++;
  }
}
