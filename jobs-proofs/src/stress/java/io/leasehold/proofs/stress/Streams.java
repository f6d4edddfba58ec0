package io.leasehold.proofs.stress;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.history.JobEvent;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Do all readers of a job's history see the same, while jobs fail and are put off, and their
 * workers are killed and frozen at random?
 */
final class Streams {

  private static final int JOBS = 1_000;
  private static final int STRIKES = 12;
  private static final int FREEZES = 4;
  private static final int WORKERS = 3;
  private static final int READERS = 3;
  private static final Duration MOST = Duration.ofMinutes(2);

  private final SplittableRandom random;
  private final StressServer server;
  private final Look look;
  private final Begins begins = new Begins();
  private final Map<JobId, Integer> tenants = new ConcurrentHashMap<>();
  private final List<Reader> readers = new ArrayList<>();

  Streams(long seed, StressServer server) {
    this.random = new SplittableRandom(seed);
    this.server = server;
    this.look = new Look(server);
  }

  void run(Findings findings) throws IOException, SQLException, InterruptedException {
    try (var submitter = new Submitter(server.jdbcUrl());
        var crew = new Crew(server.jdbcUrl(), WORKERS, begins)) {
      crew.awaitReady(WORKERS);
      var threads = read(submitter);
      for (int strike = 0; strike < STRIKES; strike++) {
        submit(submitter, strike);
        strike(crew, strike);
      }
      findings.require(awaitEnd(crew), "all %d jobs end".formatted(JOBS));
      readers.forEach(Reader::stop);
      for (var thread : threads) {
        thread.join();
      }
      judge(findings, submitter);
    }
  }

  private List<Thread> read(Submitter submitter) {
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < READERS; i++) {
      var reader = new Reader(submitter, tenants, random.nextLong());
      readers.add(reader);
      threads.add(Thread.ofPlatform().daemon().start(reader));
    }
    return threads;
  }

  private void submit(Submitter submitter, int strike) {
    var tenant = random.nextInt(Submitter.TENANTS);
    var requests = new ArrayList<JobRequest<?, ?>>();
    for (int i = strike * JOBS / STRIKES; i < (strike + 1) * JOBS / STRIKES; i++) {
      requests.add(ToldJobs.TYPE.request(random.nextLong(1L << 40)).key("told " + i));
    }
    submitter
        .submit(tenant, requests)
        .forEach(submission -> tenants.put(submission.jobId(), tenant));
  }

  private void strike(Crew crew, int strike)
      throws IOException, SQLException, InterruptedException {
    crew.awaitReady(WORKERS - 1);
    look.awaitAtLeast("SELECT count(*) FROM leasehold.lease", WORKERS, MOST);
    Thread.sleep(random.nextInt(400));
    var victim = crew.member(random.nextInt(WORKERS));
    if (strike % (STRIKES / FREEZES) == 0) {
      victim.freeze();
      Thread.sleep(Fleet.LEASE.plus(Fleet.RESCUE_EVERY).plusMillis(1_000));
      victim.wake();
    } else {
      victim.kill();
      crew.revive();
    }
  }

  private boolean awaitEnd(Crew crew) throws IOException, SQLException {
    var deadline = System.nanoTime() + MOST.toNanos();
    while (!look.awaitAtLeast(
        "SELECT count(*) FROM leasehold.outcome", JOBS, Duration.ofSeconds(1))) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      crew.revive();
    }
    return true;
  }

  private void judge(Findings findings, Submitter submitter) throws SQLException {
    var first = new Reader(submitter, tenants, random.nextLong()).readToEnd();
    for (var reader : readers) {
      var differing = differing(first, reader.readToEnd());
      findings.require(
          differing.isEmpty() && reader.surprises().isEmpty(),
          "a reader who resumed %d times saw what is read at the end %s %s"
              .formatted(reader.resumed(), some(differing), some(reader.surprises())));
    }
    var wrong = new ArrayList<String>();
    first.values().forEach(events -> wrong.addAll(Story.wrongWith(events)));
    findings.require(
        wrong.isEmpty() && first.size() == JOBS,
        "histories without a gap, and with nothing of a stale worker: %d of %d %s"
            .formatted(first.size() - wrong.size(), JOBS, some(wrong)));
    for (var kind : List.of("retry_scheduled", "put_off", "worker_lost", "reclaimed")) {
      var count =
          first.values().stream()
              .flatMap(List::stream)
              .filter(event -> event.kind().equals(kind))
              .count();
      findings.require(count >= STRIKES, "%s happened: %d times".formatted(kind, count));
    }
  }

  private static List<String> differing(
      Map<JobId, List<JobEvent>> one, Map<JobId, List<JobEvent>> other) {
    return one.entrySet().stream()
        .filter(entry -> !entry.getValue().equals(other.get(entry.getKey())))
        .map(entry -> "%s but %s".formatted(entry.getValue(), other.get(entry.getKey())))
        .toList();
  }

  private static String some(List<String> all) {
    return all.isEmpty() ? "" : "(%d did not: %s)".formatted(all.size(), all.getFirst());
  }
}
