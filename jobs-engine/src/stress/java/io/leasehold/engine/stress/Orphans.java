package io.leasehold.engine.stress;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * How soon the jobs of killed workers begin again, from the kill to the first line of the next
 * handler. Those whose time is cut into by the server's own absence are counted apart.
 */
final class Orphans {

  /** How long the fleet may take for it: what a lease lasts, a look for what is over, and one. */
  private static final Duration MOST = Fleet.LEASE.plus(Fleet.RESCUE_EVERY).plusSeconds(1);

  /** How long workers may take to find a server again. */
  private static final Duration RECONNECT = Duration.ofSeconds(1);

  private static final String LOST =
      "SELECT attempt.id || ' ' || token || ' ' || coalesce(worker.name, 'not registered') || ' '"
          + " || floor(extract(epoch FROM ended_at) * 1000)::bigint"
          + " FROM leasehold.attempt LEFT JOIN leasehold.worker ON worker.id = worker_id"
          + " WHERE status = 'lost'";

  private final Map<String, Instant> kills = new HashMap<>();
  private final List<Absence> absences = new ArrayList<>();

  private record Absence(Instant from, Instant until) {}

  /** Notes that a worker is about to be killed. */
  void killed(Fleet.Worker worker) {
    kills.put("pid " + worker.process().pid(), Instant.now());
  }

  /** Notes that there was no server since then. */
  void serverWasAway(Instant since) {
    absences.add(new Absence(since, Instant.now().plus(RECONNECT)));
  }

  void judge(Findings findings, Look look, Begins begins) throws SQLException {
    Map<String, NavigableMap<Long, Instant>> begun = new HashMap<>();
    for (var its : begins.all()) {
      begun.computeIfAbsent(its.job(), _ -> new TreeMap<>()).put(its.token(), its.at());
    }
    List<Long> counted = new ArrayList<>();
    List<Long> apart = new ArrayList<>();
    var unregistered = 0;
    for (var row : look.rows(LOST)) {
      var words = row.split(" ", -1);
      unregistered += words[2].equals("not") ? 1 : 0;
      var kill = kills.get(words[2] + " " + words[3]);
      if (kill == null || Instant.ofEpochMilli(Long.parseLong(words[4])).isBefore(kill)) {
        continue; // It was frozen, or not heard of in time: it was not killed while it held the
        // job.
      }
      var again = begun.getOrDefault(words[0], new TreeMap<>()).higherEntry(Long.valueOf(words[1]));
      var took =
          again == null ? Long.MAX_VALUE : Duration.between(kill, again.getValue()).toMillis();
      (isCutInto(kill, took) ? apart : counted).add(took);
    }
    System.out.printf("  lost by workers that were not registered, not judged: %d%n", unregistered);
    judge(findings, counted, apart);
  }

  // What came too late before the server went has no excuse.
  private boolean isCutInto(Instant kill, long took) {
    var end = kill.plusMillis(Math.min(took, MOST.toMillis()));
    return absences.stream().anyMatch(its -> its.from.isBefore(end) && its.until.isAfter(kill));
  }

  private static void judge(Findings findings, List<Long> counted, List<Long> apart) {
    System.out.printf("  orphans: %s%n", told(counted));
    System.out.printf("  orphans while the server was away, not judged: %s%n", told(apart));
    findings.require(!counted.isEmpty(), "workers were killed while they held jobs");
    findings.require(
        !counted.isEmpty() && part(counted, 0.99) <= MOST.toMillis(),
        "jobs of killed workers begin again within %d ms at p99".formatted(MOST.toMillis()));
  }

  private static String told(List<Long> millis) {
    return millis.isEmpty()
        ? "0"
        : "%d, begun again after %d ms at p50, %d ms at p99, %d ms at most"
            .formatted(millis.size(), part(millis, 0.5), part(millis, 0.99), part(millis, 1));
  }

  private static long part(List<Long> millis, double part) {
    var sorted = millis.stream().sorted().toList();
    return sorted.get((int) Math.ceil(part * sorted.size()) - 1);
  }
}
