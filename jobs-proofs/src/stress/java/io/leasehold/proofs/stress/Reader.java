package io.leasehold.proofs.stress;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.history.EventCursor;
import io.leasehold.jobs.history.JobEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Follows the histories of many jobs while they run, a few events at a time; forgets some of the
 * last ones now and then, and resumes at the cursor before. For one thread.
 */
final class Reader implements Runnable {

  private final Submitter submitter;
  private final Map<JobId, Integer> tenants;
  private final SplittableRandom random;
  private final Map<JobId, List<JobEvent>> read = new LinkedHashMap<>();
  private final List<String> surprises = new ArrayList<>();
  private int resumed;
  private volatile boolean going = true;

  /**
   * Reads nothing yet.
   *
   * @param tenants of all jobs, to which more are added
   */
  Reader(Submitter submitter, Map<JobId, Integer> tenants, long seed) {
    this.submitter = submitter;
    this.tenants = tenants;
    this.random = new SplittableRandom(seed);
  }

  @Override
  public void run() {
    while (going) {
      round();
    }
  }

  /** Ends the reading in the middle of wherever it is. */
  void stop() {
    going = false;
  }

  /** Reads all to the end, and answers it. */
  Map<JobId, List<JobEvent>> readToEnd() {
    tenants.forEach((job, tenant) -> readOn(job, tenant, Integer.MAX_VALUE));
    return read;
  }

  List<String> surprises() {
    return surprises;
  }

  int resumed() {
    return resumed;
  }

  private void round() {
    tenants.forEach(
        (job, tenant) -> {
          var events = read.computeIfAbsent(job, _ -> new ArrayList<>());
          if (events.size() > 1 && random.nextInt(10) == 0) {
            resume(job, tenant, events);
          } else {
            readOn(job, tenant, 1);
          }
        });
  }

  private void readOn(JobId job, int tenant, int pages) {
    var events = read.computeIfAbsent(job, _ -> new ArrayList<>());
    for (int i = 0; i < pages; i++) {
      var page = page(job, tenant, events);
      events.addAll(page);
      if (page.isEmpty()) {
        return;
      }
    }
  }

  // What is read again has to be what was read before.
  private void resume(JobId job, int tenant, List<JobEvent> events) {
    var from = 1 + random.nextInt(events.size() - 1);
    var forgotten = List.copyOf(events.subList(from, events.size()));
    events.subList(from, events.size()).clear();
    resumed++;
    while (events.size() < from + forgotten.size()) {
      var page = page(job, tenant, events);
      if (page.isEmpty()) {
        surprises.add("job %s lost its events behind %s".formatted(job, events.getLast()));
        return;
      }
      events.addAll(page);
    }
    if (!events.subList(from, from + forgotten.size()).equals(forgotten)) {
      surprises.add(
          "job %s told %s and then %s"
              .formatted(job, forgotten, events.subList(from, from + forgotten.size())));
    }
  }

  private List<JobEvent> page(JobId job, int tenant, List<JobEvent> before) {
    var after = before.isEmpty() ? EventCursor.BEGIN : before.getLast().cursor();
    while (true) {
      try {
        return submitter.events(tenant, job, after, 1 + random.nextInt(20)).events();
      } catch (JobsException e) {
        Thread.onSpinWait();
      }
    }
  }
}
