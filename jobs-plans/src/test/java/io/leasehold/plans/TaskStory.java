package io.leasehold.plans;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What the events of a job tell of its tasks, over all attempts, and what in it cannot be so. An
 * attempt that was killed may have told less than it did, but nothing else.
 */
final class TaskStory {

  private static final Pattern WORD =
      Pattern.compile(
          "\"task_id\":\"(.*?)\",\"position\":(\\d+),\"of\":(\\d+),"
              + "\"status\":\"(.*?)\",\"attempt\":(\\d+)");

  private final List<String> faults = new ArrayList<>();
  private final Set<String> done = new HashSet<>();
  private int attempt;
  private int announced;
  private int reached;
  private boolean left;
  private String running = "";

  /** What is wrong. */
  List<String> faults() {
    return faults;
  }

  void add(int attempt, String body) {
    var word = WORD.matcher(body);
    if (!word.find()) {
      faults.add("unreadable: " + body);
      return;
    }
    require(Integer.parseInt(word.group(5)) == attempt, "is not of attempt " + attempt, body);
    if (attempt != this.attempt) {
      this.attempt = attempt;
      announced = 0;
      reached = 0;
      left = false;
      running = "";
    }
    tell(word.group(1), Integer.parseInt(word.group(2)), word.group(4), body);
  }

  private void tell(String task, int position, String status, String body) {
    switch (status) {
      case "pending", "skipped" -> {
        require(position == ++announced, "is not announced in its place", body);
        announce(task, status.equals("pending"), body);
      }
      case "running" -> {
        require(running.isEmpty(), "begins before another has ended", body);
        require(position > reached, "begins out of its turn", body);
        require(!done.contains(task), "is done again", body);
        reached = position;
        running = task;
      }
      case "succeeded" -> {
        require(running.equals(task), "ends and was not begun", body);
        require(done.add(task), "is done twice", body);
        running = "";
      }
      default -> faults.add("there was no cause for this: " + body);
    }
  }

  private void announce(String task, boolean isPending, String body) {
    if (isPending) {
      require(!done.contains(task), "was done before", body);
      left = true;
    } else {
      require(!left, "is skipped behind one that is not", body);
      done.add(task);
    }
  }

  private void require(boolean holds, String fault, String body) {
    if (!holds) {
      faults.add(fault + ": " + body);
    }
  }
}
