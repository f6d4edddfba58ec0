package io.leasehold.proofs.stress;

import io.leasehold.jobs.schedules.MissedSlots;
import io.leasehold.jobs.schedules.ScheduleRequest;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Has each slot of a schedule one job, when three processes fire it at one a second, one of them an
 * hour fast, and the others are killed and started again? For a while the fast one is alone.
 */
final class Cron {

  private static final int SCHEDULES = 3;
  private static final int LEAST = 60;
  private static final Duration BEFORE = Duration.ofSeconds(10);
  private static final Duration MOST = Duration.ofSeconds(90);
  private static final String NAME = "every-second";
  private static final String JOBS =
      "leasehold.job WHERE metadata->>'schedule' = '%s'".formatted(NAME);

  private final StressServer server;
  private final Look look;
  private final int slots;
  private final Begins begins = new Begins();

  Cron(StressServer server, int slots) {
    if (slots < LEAST) {
      throw new IllegalArgumentException(
          "slots must be at least %d, not %d".formatted(LEAST, slots));
    }
    this.server = server;
    this.look = new Look(server);
    this.slots = slots;
  }

  void run(Findings findings) throws IOException, SQLException, InterruptedException {
    var fast = start(Skew.FAST.environment());
    var one = start(Map.of());
    var other = start(Map.of());
    try (var submitter = new Submitter(server.jdbcUrl())) {
      var first = Instant.ofEpochSecond(look.count("SELECT extract(epoch FROM now())::bigint"));
      var begin = first.plus(BEFORE);
      put(submitter, begin);
      awaitSlot(begin.plusSeconds(slots / 5));
      one.kill();
      awaitSlot(begin.plusSeconds(slots * 2L / 5));
      one = start(Map.of());
      other.kill();
      awaitSlot(begin.plusSeconds(slots * 3L / 5));
      one.kill();
      awaitSlot(begin.plusSeconds(slots * 4L / 5));
      one = start(Map.of());
      other = start(Map.of());
      awaitSlot(begin.plusSeconds(slots));

      judge(findings, begin);
      judgeClock(findings, fast.process().pid());
    } finally {
      for (var worker : new Fleet.Worker[] {fast, one, other}) {
        worker.process().destroyForcibly().onExit().join();
      }
    }
  }

  private Fleet.Worker start(Map<String, String> environment)
      throws IOException, InterruptedException {
    var worker = new Fleet.Worker(Fleet.launch(WorkerMain.class, environment, server.jdbcUrl()));
    begins.hear(worker);
    while (!begins.works(worker)) {
      if (!worker.process().isAlive()) {
        throw new IllegalStateException("the worker ended");
      }
      Thread.sleep(50);
    }
    return worker;
  }

  private void put(Submitter submitter, Instant begin) {
    for (var tenant = 0; tenant < SCHEDULES; tenant++) {
      submitter.put(
          tenant,
          ScheduleRequest.of(NAME, "* * * * * *", ClockJobs.DELAYED.request(0))
              .missed(MissedSlots.ALL)
              .startAt(begin)
              .endAt(begin.plusSeconds(slots - 1L)));
    }
  }

  private void awaitSlot(Instant slot) throws SQLException, InterruptedException {
    while (look.count("SELECT extract(epoch FROM now())::bigint") < slot.getEpochSecond()) {
      TimeUnit.MILLISECONDS.sleep(200);
    }
  }

  private void judge(Findings findings, Instant begin) throws SQLException {
    var all = (long) slots * SCHEDULES;
    findings.require(
        look.awaitAtLeast("SELECT count(*) FROM leasehold.outcome", all, MOST),
        "all jobs end: %d".formatted(all));
    var jobs = look.count("SELECT count(*) FROM " + JOBS);
    var different =
        look.count("SELECT count(DISTINCT tenant_id || (metadata->>'slot')) FROM " + JOBS);
    findings.require(
        jobs == all && different == all,
        "%d jobs for %d slots of %d".formatted(jobs, different, all));
    var outside =
        look.count(
            "SELECT count(*) FROM %s AND (metadata->>'slot')::timestamptz NOT BETWEEN '%s' AND '%s'"
                .formatted(JOBS, begin, begin.plusSeconds(slots - 1L)));
    findings.require(outside == 0, "none for another slot: %d".formatted(outside));
    var again = look.count("SELECT count(*) FROM leasehold.outcome WHERE status <> 'succeeded'");
    findings.require(again == 0, "none that did not succeed: %d".formatted(again));
    var left = look.count("SELECT count(*) FROM leasehold.schedule WHERE next_at IS NOT NULL");
    findings.require(left == 0, "no slot left: %d".formatted(left));
    judgeTimes(findings);
  }

  private void judgeTimes(Findings findings) throws SQLException {
    var behind =
        "(extract(epoch FROM leasehold.created_at(id) - (metadata->>'slot')::timestamptz) *"
            + " 1000)::bigint";
    var first = look.count("SELECT min(%s) FROM %s".formatted(behind, JOBS));
    var last = look.count("SELECT max(%s) FROM %s".formatted(behind, JOBS));
    var mean = look.count("SELECT avg(%s)::bigint FROM %s".formatted(behind, JOBS));
    findings.require(first >= 0, "none before its slot: first %d ms behind".formatted(first));
    findings.require(
        last < TimeUnit.MINUTES.toMillis(1),
        "none was missed: mean %d ms behind, last %d ms".formatted(mean, last));
  }

  private void judgeClock(Findings findings, long pid) {
    var off =
        begins.all().stream()
            .filter(begin -> begin.pid() == pid)
            .mapToLong(begin -> Duration.between(begin.heardAt(), begin.at()).toMinutes())
            .toArray();
    findings.require(
        off.length > 0 && Arrays.stream(off).allMatch(minutes -> minutes >= 59 && minutes <= 60),
        "the fast one's clock is an hour fast, as %d of its handlers say".formatted(off.length));
  }
}
