package io.leasehold.proofs.stress;

import io.leasehold.proofs.stress.Begins.Begin;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Did jobs begin when they were due by the database's clock: not before, nor much later? */
final class Punctuality {

  /** A millisecond is rounded away in an id. */
  private static final long EARLY_MOST_MILLIS = 1;

  /** What is promised on a machine that has time for it. */
  private static final Duration LATE_MOST = Duration.ofSeconds(3);

  /** From thread to thread, or to the server and back: move, wake-up, claim, handler. */
  private static final int HAND_OVERS = 4;

  // Job, token of the attempt before, and when the next is due in milliseconds.
  private static final String DELAYED =
      "SELECT id || ' 0 ' || floor(extract(epoch FROM leasehold.created_at(id)) * 1000)::bigint"
          + " + input::text::integer FROM leasehold.job WHERE handler_id LIKE '%.delayed.v1'";

  private static final String RETRIED =
      "SELECT id || ' ' || token || ' ' || floor(extract(epoch FROM ended_at) * 1000)::bigint"
          + " + power(2, attempt - 1)::bigint * "
          + ClockJobs.FIRST_WAIT.toMillis()
          + " FROM leasehold.attempt WHERE status = 'failed'";

  private final Map<String, NavigableMap<Long, Instant>> begun = new HashMap<>();
  private final Look look;
  private final Pace pace;

  /** Judges what began, by the true time. */
  Punctuality(Look look, Collection<Begin> begins, Pace pace) {
    this.look = look;
    this.pace = pace;
    for (var begin : begins) {
      begun.computeIfAbsent(begin.job(), _ -> new TreeMap<>()).put(begin.token(), begin.at());
    }
  }

  void judge(Findings findings) throws SQLException {
    judge(findings, "delayed jobs", look.rows(DELAYED));
    judge(findings, "further attempts", look.rows(RETRIED));
  }

  private void judge(Findings findings, String what, List<String> rows) {
    List<Long> behind = new ArrayList<>();
    var late = 0;
    for (var row : rows) {
      var words = row.split(" ", -1);
      var begin = begun.getOrDefault(words[0], new TreeMap<>()).higherEntry(Long.valueOf(words[1]));
      if (begin != null) {
        var due = Long.parseLong(words[2]);
        var at = begin.getValue().toEpochMilli();
        behind.add(at - due);
        late += at - due > LATE_MOST.toMillis() + HAND_OVERS * pace.late(due, at) ? 1 : 0;
      }
    }
    var first = behind.stream().mapToLong(millis -> millis).min().orElse(Long.MIN_VALUE);
    var last = behind.stream().mapToLong(millis -> millis).max().orElse(Long.MAX_VALUE);
    findings.require(
        !rows.isEmpty() && behind.size() == rows.size(),
        "%s that began: %d of %d".formatted(what, behind.size(), rows.size()));
    findings.require(
        first >= -EARLY_MOST_MILLIS,
        "none of these before it was due: first %d ms behind".formatted(first));
    findings.require(
        late == 0,
        "all of these within %d ms and what the machine was late then: last %d ms behind, %d later"
            .formatted(LATE_MOST.toMillis(), last, late));
  }
}
