package io.leasehold.proofs.stress;

import java.lang.management.ManagementFactory;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * How soon the jobs of killed workers begin again, from the kill to the first line of the next
 * handler. Those whose time is cut into by the server's own absence are counted apart.
 */
final class Orphans {

  /** How long the fleet may take: the length of a lease, a period of rescues, and one second. */
  private static final Duration MOST = Fleet.LEASE.plus(Fleet.RESCUE_EVERY).plusSeconds(1);

  /** How long workers may take to find a server again. */
  private static final Duration RECONNECT = Duration.ofSeconds(1);

  private static final Instant NEVER = Instant.EPOCH.plus(Duration.ofDays(100_000));

  private static final String LOST =
      "SELECT attempt.id || ' ' || token || ' ' || coalesce(worker.name, 'not registered') || ' '"
          + " || floor(extract(epoch FROM ended_at) * 1000)::bigint || ' '"
          + " || floor(extract(epoch FROM attempt.started_at) * 1000)::bigint"
          + " FROM leasehold.attempt LEFT JOIN leasehold.worker ON worker.id = worker_id"
          + " WHERE status = 'lost'";

  private final Map<String, Instant> kills = new HashMap<>();
  private final List<Span> absences = new ArrayList<>();
  private final List<Span> freezes = new ArrayList<>();

  private record Span(Instant from, Instant until) {

    boolean overlaps(Instant begin, Instant end) {
      return from.isBefore(end) && until.isAfter(begin);
    }
  }

  /** When a worker was killed, its job taken from it, and begun again. */
  private record Orphan(Instant killedAt, Instant takenAt, Instant begunAt) {

    long claimable() {
      return Duration.between(killedAt, takenAt).toMillis();
    }

    long begun() {
      return Duration.between(killedAt, begunAt).toMillis();
    }

    // What came too late before that has no excuse.
    boolean isCutInto(List<Span> spans) {
      var end = killedAt.plusMillis(Math.min(begun(), MOST.toMillis()));
      return spans.stream().anyMatch(span -> span.overlaps(killedAt, end));
    }
  }

  /** Notes that a worker is about to be killed. */
  void killed(Fleet.Worker worker) {
    kills.put("pid " + worker.process().pid(), Instant.now());
  }

  /** Notes that there was no server since then. */
  void serverWasAway(Instant since) {
    absences.add(new Span(since, Instant.now().plus(RECONNECT)));
  }

  /** Notes that another worker was frozen since then. */
  void workerWasFrozen(Instant since) {
    freezes.add(new Span(since, Instant.now()));
  }

  void judge(Findings findings, Look look, Begins begins) throws SQLException {
    var apart = new ArrayList<Orphan>();
    var counted = new ArrayList<Orphan>();
    for (var orphan : orphans(look, begins)) {
      (orphan.isCutInto(absences) ? apart : counted).add(orphan);
    }
    tell("jobs of killed workers", counted);
    tell(
        "of these, while another worker was frozen",
        counted.stream().filter(orphan -> orphan.isCutInto(freezes)).toList());
    tell("besides, while the server was away, not judged", apart);
    var machine = ManagementFactory.getOperatingSystemMXBean();
    System.out.printf(
        "  the machine's load: %.1f on %d cores%n",
        machine.getSystemLoadAverage(), machine.getAvailableProcessors());
    findings.require(!counted.isEmpty(), "workers were killed while they held jobs");
    var p99 = counted.isEmpty() ? -1 : part(counted, Orphan::begun, 0.99);
    findings.require(
        p99 <= MOST.toMillis(),
        "jobs of killed workers begin again within %d ms at p99: %d ms"
            .formatted(MOST.toMillis(), p99));
  }

  private List<Orphan> orphans(Look look, Begins begins) throws SQLException {
    Map<String, NavigableMap<Long, Instant>> begun = new HashMap<>();
    for (var begin : begins.all()) {
      begun.computeIfAbsent(begin.job(), _ -> new TreeMap<>()).put(begin.token(), begin.at());
    }
    var orphans = new ArrayList<Orphan>();
    var unregistered = 0;
    var lost = look.rows(LOST);
    // What is lost once more before its handler has said a word counts by itself, from that kill
    // on.
    for (var row : lost) {
      var words = row.split(" ", -1);
      begun
          .computeIfAbsent(words[0], _ -> new TreeMap<>())
          .putIfAbsent(Long.valueOf(words[1]), millis(words[words.length - 1]));
    }
    for (var row : lost) {
      var words = row.split(" ", -1);
      unregistered += words[2].equals("not") ? 1 : 0;
      var kill = kills.get(words[2] + " " + words[3]);
      var taken = millis(words[4]);
      if (kill == null || taken.isBefore(kill)) {
        continue; // It was frozen, or not heard of in time: it was not killed while it held the
        // job.
      }
      var again = begun.getOrDefault(words[0], new TreeMap<>()).higherEntry(Long.valueOf(words[1]));
      orphans.add(new Orphan(kill, taken, again == null ? NEVER : again.getValue()));
    }
    System.out.printf("  lost by workers that were not registered, not judged: %d%n", unregistered);
    return orphans;
  }

  private static Instant millis(String word) {
    return Instant.ofEpochMilli(Long.parseLong(word));
  }

  private static void tell(String what, List<Orphan> orphans) {
    System.out.printf("  %s: %d%n", what, orphans.size());
    if (!orphans.isEmpty()) {
      tell("could be claimed again", orphans, Orphan::claimable);
      tell("began again", orphans, Orphan::begun);
    }
  }

  private static void tell(String what, List<Orphan> orphans, ToLongFunction<Orphan> millis) {
    System.out.printf(
        "    %s after %d ms at p50, %d ms at p99, %d ms at most%n",
        what, part(orphans, millis, 0.5), part(orphans, millis, 0.99), part(orphans, millis, 1));
  }

  private static long part(List<Orphan> orphans, ToLongFunction<Orphan> millis, double part) {
    var sorted = orphans.stream().mapToLong(millis).sorted().toArray();
    return sorted[(int) Math.ceil(part * sorted.length) - 1];
  }
}
