package io.leasehold.proofs.stress;

import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.Submission;
import io.leasehold.jobs.spi.MirrorTable;
import io.leasehold.proofs.stress.FatefulJobs.End;
import io.leasehold.proofs.stress.FatefulJobs.Fate;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Is every record as its job at every moment, when workers and the server are killed, and jobs are
 * cancelled, retried and deleted at random?
 */
final class Mirrors {

  private static final int LIVES = 2_000;
  private static final int STEPS = 40;
  private static final int WORKERS = 3;
  private static final int SERVER_KILLS = 5;
  private static final Duration MOST = Duration.ofMinutes(3);
  private static final MirrorTable RUNS = MirrorTable.named("stress.run");

  private static final String UNFINISHED =
      "SELECT count(*) FROM stress.run WHERE status IN ('new', 'queued', 'running')";
  private static final String FINISHED =
      "SELECT count(*) FROM stress.run WHERE status NOT IN ('new', 'queued', 'running')";

  private final Random random;
  private final StressServer server;
  private final Look look;
  private final List<Submission> submitted = new ArrayList<>();
  private final List<Integer> tenants = new ArrayList<>();
  private int workerKills;
  private int serverKills;

  Mirrors(long seed, StressServer server) {
    this.random = new Random(seed);
    this.server = server;
    this.look = new Look(server);
  }

  void run(Findings findings) throws IOException, SQLException, InterruptedException {
    server.run("mirrors.sql");
    var begins = new Begins();
    var witness = new MirrorWitness(server);
    try (var submitter = new Submitter(server.jdbcUrl());
        var crew = new Crew(server.jdbcUrl(), WORKERS, begins)) {
      crew.awaitReady(WORKERS);
      witness.start();
      for (int step = 0; step < STEPS; step++) {
        submit(submitter);
        disturb(submitter);
        strike(step, crew);
      }
      var end = awaitEnd(crew);
      findings.require(
          end, "all records come to an end: %d of %d".formatted(look.count(FINISHED), LIVES));
      findings.require(witness.settles(), "no record stays behind its job");
    }
    witness.stop();
    System.out.printf(
        "  %d workers and %d servers killed; %s%n", workerKills, serverKills, witness.summary());
    System.out.printf(
        "  ends: %s%n",
        look.rows("SELECT status || ' ' || count(*) FROM stress.run GROUP BY status ORDER BY 1"));
    findings.require(
        witness.looks() > 100 && witness.busyLooks() > 50,
        "records were compared while jobs ran: %s".formatted(witness.summary()));
    findings.require(
        witness.differences().isEmpty(),
        "at no moment does a record differ from its job: %s".formatted(witness.differences()));
    findings.require(
        look.count(UNFINISHED) == 0, "no record is left unfinished: " + look.count(UNFINISHED));
  }

  private void submit(Submitter submitter) throws SQLException {
    var tenant = random.nextInt(Submitter.TENANTS);
    var requests = new ArrayList<JobRequest<?, ?>>();
    var records = new ArrayList<UUID>();
    for (int i = 0; i < LIVES / STEPS; i++) {
      var record = new UUID(random.nextLong(), random.nextLong());
      records.add(record);
      var type = random.nextInt(3) == 0 ? FatefulJobs.TRANSACTIONAL : FatefulJobs.PLAIN;
      requests.add(
          type.request(new Fate(random.nextInt(400), end()))
              .key("life " + record)
              .mirroredBy(RUNS, record));
    }
    insert(tenant, records);
    submitted.addAll(submitter.submit(tenant, requests));
    tenants.add(tenant);
  }

  private End end() {
    return switch (random.nextInt(10)) {
      case 0, 1 -> End.FOR_GOOD;
      case 2, 3 -> End.AT_THE_THIRD_ATTEMPT;
      case 4 -> End.LATE;
      default -> End.WELL;
    };
  }

  private void insert(int tenant, List<UUID> records) throws SQLException {
    look.rows(
        "INSERT INTO stress.run (tenant_id, id) SELECT '%s', unnest('{%s}'::uuid[]) RETURNING id"
            .formatted(
                Submitter.tenant(tenant),
                records.stream().map(UUID::toString).collect(Collectors.joining(","))));
  }

  /** Does something to a tenth as many jobs. */
  private void disturb(Submitter submitter) {
    for (int i = 0; i < LIVES / STEPS / 5; i++) {
      var which = random.nextInt(submitted.size());
      var tenant = tenants.get(which / (LIVES / STEPS));
      submitter.disturb(tenant, submitted.get(which).jobId(), random.nextInt(4));
    }
  }

  private void strike(int step, Crew crew) throws IOException, InterruptedException {
    Thread.sleep(random.nextInt(500));
    if (step % (STEPS / SERVER_KILLS) == STEPS / SERVER_KILLS - 1) {
      server.crash();
      serverKills++;
    } else if (step % 2 == 0) {
      crew.member(random.nextInt(WORKERS)).kill();
      workerKills++;
    }
    crew.revive();
  }

  private boolean awaitEnd(Crew crew) throws IOException, SQLException {
    var deadline = System.nanoTime() + MOST.toNanos();
    while (!look.awaitAtLeast(FINISHED, LIVES, Duration.ofSeconds(1))) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      crew.revive();
    }
    return true;
  }
}
