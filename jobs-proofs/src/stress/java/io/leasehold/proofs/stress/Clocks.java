package io.leasehold.proofs.stress;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * What becomes of jobs when the wall clocks of the processes that submit and run them are an hour
 * fast and an hour slow? Nothing: all time is the database's.
 */
final class Clocks {

  private static final Duration MOST = Duration.ofSeconds(90);
  private static final String FINISHED = "SELECT count(*) FROM leasehold.outcome";

  private static final String BEYOND = "input->>'millis' = '60000'";
  private static final Duration LATE_MOST = Duration.ofSeconds(2);

  /** From thread to thread, or to the server and back: watch, handler, finisher, statement. */
  private static final int HAND_OVERS = 4;

  private final StressServer server;
  private final Look look;

  Clocks(StressServer server) {
    this.server = server;
    this.look = new Look(server);
  }

  void run(Findings findings) throws IOException, SQLException, InterruptedException {
    var begins = new Begins();
    try (var pace = new Pace(server);
        var fast = new Skewed(Skew.FAST, server.jdbcUrl(), begins);
        var slow = new Skewed(Skew.SLOW, server.jdbcUrl(), begins)) {
      var both = List.of(fast, slow);
      for (var each : both) {
        each.awaitReady(findings);
      }
      all(findings, both, "timed", 0, SubmitterMain.TIMED);
      server.run("midnight.sql");
      all(findings, both, "midnight", SubmitterMain.TIMED, SubmitterMain.MIDNIGHT);

      for (var each : both) {
        each.judge(findings);
      }
      var begun = Stream.concat(fast.begun().stream(), slow.begun().stream()).toList();
      new Punctuality(look, begun, pace).judge(findings);
      judgeAttempts(findings, pace);
      judgeDays(findings, both);
    }
  }

  private void all(Findings findings, List<Skewed> both, String what, int before, int jobs)
      throws IOException, SQLException {
    for (var each : both) {
      var said = each.ask(what);
      findings.require(said.equals("submitted " + jobs), "%s jobs: %s".formatted(what, said));
    }
    var due = (before + jobs) * both.size();
    findings.require(look.awaitAtLeast(FINISHED, due, MOST), "all jobs end: %d".formatted(due));
  }

  private void judgeAttempts(Findings findings, Pace pace) throws SQLException {
    none(findings, "attempts lost or given back", "leasehold.attempt WHERE status <> 'failed'");
    none(
        findings,
        "jobs that worked for longer than a lease and did not succeed at once",
        ended("unlimited", "status <> 'succeeded' OR attempts <> 1"));
    none(
        findings,
        "jobs within their limit that did not succeed",
        ended("limited", "NOT " + BEYOND + " AND status <> 'succeeded'"));
    none(
        findings,
        "jobs beyond their limit that did not time out",
        ended("limited", BEYOND + " AND status <> 'timed_out'"));
    judgeLimit(findings, pace);
    none(
        findings,
        "jobs that did not succeed at their last attempt",
        ended(
            "flaky", "status <> 'succeeded' OR attempts <> %d".formatted(ClockJobs.FAILURES + 1)));
  }

  // Each against what the machine could do when its limit came.
  private void judgeLimit(Findings findings, Pace pace) throws SQLException {
    var limit = ClockJobs.LIMIT.toMillis();
    var first = Long.MAX_VALUE;
    var last = 0L;
    var late = 0;
    for (var row :
        look.rows(
            "SELECT (extract(epoch FROM started_at) * 1000)::bigint || ' ' ||"
                + " (extract(epoch FROM finished_at) * 1000)::bigint FROM "
                + ended("limited", BEYOND))) {
      var words = row.split(" ", -1);
      var begin = Long.parseLong(words[0]);
      var end = Long.parseLong(words[1]);
      var most = LATE_MOST.toMillis() + HAND_OVERS * pace.late(begin + limit, end);
      late += end - begin - limit > most ? 1 : 0;
      first = Math.min(first, end - begin);
      last = Math.max(last, end - begin);
    }
    findings.require(
        first >= limit && late == 0,
        "with a limit of %d ms they ended after %d to %d ms; %d of them more than %d ms late and"
                .formatted(limit, first, last, late, LATE_MOST.toMillis())
            + " what the machine was late then, %d ms at most".formatted(pace.latest()));
  }

  private static String ended(String type, String condition) {
    return "leasehold.job JOIN leasehold.outcome USING (tenant_id, id) WHERE handler_id LIKE '%%.%s.v1' AND (%s)"
        .formatted(type, condition);
  }

  private void judgeDays(Findings findings, List<Skewed> both) throws IOException, SQLException {
    none(
        findings,
        "ids of another hour than this one, but for those of midnight",
        "leasehold.job WHERE queue = 'clocks' AND leasehold.created_at(id)"
            + " NOT BETWEEN clock_timestamp() - interval '10 min' AND clock_timestamp()");
    var days =
        look.count(
            "SELECT count(DISTINCT leasehold.day_of(id)) FROM leasehold.job WHERE queue ="
                + " 'stress'");
    findings.require(days == 2, "ids on both sides of midnight: %d days".formatted(days));
    none(
        findings,
        "jobs or outcomes outside of their ids' day",
        "(SELECT id, tableoid FROM leasehold.job UNION ALL SELECT id, tableoid"
            + " FROM leasehold.outcome) AS stored JOIN pg_class ON pg_class.oid = stored.tableoid"
            + " WHERE right(relname, 8) <> to_char(leasehold.day_of(id), 'YYYYMMDD')");
    var jobs = SubmitterMain.TIMED + SubmitterMain.MIDNIGHT;
    for (var each : both) {
      var said = each.ask("find");
      findings.require(said.equals("found " + jobs), "of %d jobs %s".formatted(jobs, said));
    }
  }

  private void none(Findings findings, String what, String from) throws SQLException {
    var count = look.count("SELECT count(*) FROM " + from);
    findings.require(count == 0, "no %s: %d".formatted(what, count));
  }
}
