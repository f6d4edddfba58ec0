package io.leasehold.proofs.stress;

import io.leasehold.jobs.JobRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;

/**
 * What can a worker still do that was frozen past its lease, and how soon does it notice? Another
 * one has its jobs by then.
 */
final class Freezes {

  private static final int JOBS = 50;

  /** What is promised on a machine that has time for it. */
  private static final int SOON_MILLIS = 100;

  /** A machine that wakes as many threads of the reference so soon has time for it. */
  private static final int QUIET_MILLIS = 25;

  private static final String INTERRUPTED = "interrupted ";

  private final StressServer server;
  private final Look look;

  Freezes(StressServer server) {
    this.server = server;
    this.look = new Look(server);
  }

  void run(Findings findings) throws IOException, SQLException, InterruptedException {
    var go = Files.createTempDirectory("leasehold-go-").resolve("go");
    try (var submitter = new Submitter(server.jdbcUrl())) {
      var frozen = Fleet.startWithReference(server.jdbcUrl(), JOBS).awaitReady();
      submitter.submit(1, requests("freeze", go.toString()));
      findings.require(haveBegun(frozen), "all %d jobs run".formatted(JOBS));

      frozen.freeze();
      var other = Fleet.start(server.jdbcUrl()).awaitReady();
      findings.require(
          look.awaitAtLeast(running(2), JOBS, Duration.ofSeconds(20)),
          "another worker has taken all, each as its second attempt");
      var wokenAt = System.currentTimeMillis();
      frozen.wake();
      var told = new ArrayList<String[]>();
      var reference = new ArrayList<String[]>();
      hear(
          frozen,
          Map.of(INTERRUPTED, told, Reference.LINE, reference),
          () -> told.size() == JOBS && lateness(reference, wokenAt) > 0);
      Files.createFile(go);

      judge(findings, told, wokenAt, lateness(reference, wokenAt));
      frozen.kill();
      other.kill();
    }
  }

  static List<JobRequest<String, String>> requests(String key, String file) {
    var requests = new ArrayList<JobRequest<String, String>>();
    for (int i = 0; i < JOBS; i++) {
      var type = i % 2 == 0 ? WatchfulJobs.PLAIN : WatchfulJobs.TRANSACTIONAL;
      requests.add(type.request(file).key(key + i));
    }
    return requests;
  }

  static String running(int attempt) {
    return "SELECT count(*) FROM leasehold.lease WHERE attempt = " + attempt;
  }

  /** What handlers print when they are interrupted: job, time in milliseconds, refusals. */
  static List<String[]> told(Fleet.Worker worker) throws IOException, InterruptedException {
    return said(worker, INTERRUPTED);
  }

  /** Waits until all handlers have begun: a lease is there before its handler is. */
  static boolean haveBegun(Fleet.Worker worker) throws IOException, InterruptedException {
    return said(worker, "begun ").size() == JOBS;
  }

  private static List<String[]> said(Fleet.Worker worker, String beginning)
      throws IOException, InterruptedException {
    var said = new ArrayList<String[]>();
    hear(worker, Map.of(beginning, said), () -> said.size() == JOBS);
    return said;
  }

  private static void hear(
      Fleet.Worker worker, Map<String, List<String[]>> byBeginning, BooleanSupplier enough)
      throws IOException, InterruptedException {
    var deadline = System.nanoTime() + Duration.ofSeconds(15).toNanos();
    var reader = worker.process().inputReader();
    while (!enough.getAsBoolean() && System.nanoTime() - deadline < 0) {
      if (!reader.ready()) {
        Thread.sleep(20);
        continue;
      }
      var line = reader.readLine();
      byBeginning.forEach(
          (beginning, lines) -> {
            if (line.startsWith(beginning)) {
              lines.add(line.split(" ", -1));
            }
          });
    }
  }

  // How long the machine took at most, from the waking on, for what the reference does.
  private static long lateness(List<String[]> reference, long wokenAt) {
    return reference.stream()
        .filter(words -> Long.parseLong(words[2]) >= wokenAt)
        .mapToLong(words -> Long.parseLong(words[2]) - Math.max(wokenAt, Long.parseLong(words[1])))
        .max()
        .orElse(0);
  }

  // A handler cannot measure it: the interrupt may be the first thing that it sees when it wakes.
  private void judge(Findings findings, List<String[]> told, long wokenAt, long late)
      throws SQLException {
    var delays = told.stream().mapToLong(line -> Long.parseLong(line[2]) - wokenAt).toArray();
    var most = SOON_MILLIS + (late > QUIET_MILLIS ? late : 0);
    var soon = LongStream.of(delays).filter(delay -> delay <= most).count();
    findings.require(
        soon == JOBS,
        "interrupted within %d ms of waking, where the machine took %d ms for as many threads:"
                .formatted(most, late)
            + " %d of %d, the last after %d ms"
                .formatted(soon, JOBS, LongStream.of(delays).max().orElse(-1)));
    var refused = told.stream().filter(line -> line[3].equals("2")).count();
    findings.require(
        refused == JOBS, "progress and event refused: %d of %d".formatted(refused, JOBS));
    var ended =
        look.awaitAtLeast(
            "SELECT count(*) FROM leasehold.outcome WHERE attempts = 2 AND result::text ="
                + " '\"done\"'",
            JOBS,
            Duration.ofSeconds(20));
    findings.require(ended, "the other worker ends all");
    none(findings, "progress of the frozen one", "leasehold.progress");
    none(findings, "events of the frozen one", "leasehold.event");
    none(
        findings,
        "effects of the frozen one",
        "stress.effect JOIN leasehold.outcome ON outcome.id = job_id"
            + " WHERE effect.token <> outcome.token");
  }

  private void none(Findings findings, String what, String from) throws SQLException {
    var count = look.count("SELECT count(*) FROM " + from);
    findings.require(count == 0, "no %s: %d".formatted(what, count));
  }
}
