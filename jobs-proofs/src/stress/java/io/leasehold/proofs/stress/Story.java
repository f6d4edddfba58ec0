package io.leasehold.proofs.stress;

import io.leasehold.jobs.history.JobEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** What a job's history has to look like, whatever happened to its workers. */
final class Story {

  private static final int END = 1_000_000_000;
  private static final Pattern TOLD = Pattern.compile("\\{\"token\":([0-9]+),\"number\":([0-9]+)}");

  private final List<JobEvent> events;
  private final List<String> wrong = new ArrayList<>();
  private int at;

  private Story(List<JobEvent> events) {
    this.events = events;
  }

  /** Answers what is wrong with it. */
  static List<String> wrongWith(List<JobEvent> events) {
    var story = new Story(events);
    story.judge();
    return story.wrong;
  }

  private void judge() {
    require(kind(0).equals("queued") && events.getFirst().cursor().token() == 0, "does not begin");
    at = 1;
    var before = "queued";
    while (at < events.size()) {
      before = attempt(before);
    }
    require(before.equals("succeeded"), "ends with " + before);
  }

  // One attempt: its beginning, what it told from 1 on without a gap, and its end.
  private String attempt(String before) {
    var token = events.get(at).cursor().token();
    require(
        kind(at).equals(before.equals("worker_lost") ? "reclaimed" : "started"),
        "attempt %d begins with %s behind %s".formatted(token, kind(at), before));
    var numbers = 0;
    for (int n = 0; at < events.size() && events.get(at).cursor().n() < END; at++, n++) {
      var event = events.get(at);
      require(event.cursor().token() == token, "attempt %d has no end".formatted(token));
      require(event.cursor().n() == n, "a gap before " + event);
      if (event.kind().equals(ToldJobs.KIND)) {
        numbers++;
        require(isOwn(event, token, numbers), "%s is not number %d".formatted(event, numbers));
      }
    }
    var end = kind(at);
    require(
        !end.isEmpty() && events.get(at).cursor().token() == token,
        "attempt %d does not end".formatted(token));
    at++;
    return end;
  }

  private static boolean isOwn(JobEvent event, long token, int number) {
    var told = TOLD.matcher(event.body().replace(" ", ""));
    return told.matches()
        && Long.parseLong(told.group(1)) == token
        && Integer.parseInt(told.group(2)) == number;
  }

  private String kind(int place) {
    return Optional.of(place)
        .filter(index -> index < events.size())
        .map(index -> events.get(index).kind())
        .orElse("");
  }

  private void require(boolean isRight, String what) {
    if (!isRight && wrong.isEmpty()) {
      wrong.add("%s: %s".formatted(what, events));
    }
  }
}
