package io.leasehold.bench.load;

import io.leasehold.bench.BenchPace;
import io.leasehold.bench.Contender;
import io.leasehold.bench.Latencies;
import io.leasehold.bench.Report;
import io.leasehold.bench.Tally;
import io.leasehold.bench.limit.BenchServer;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * Measures how soon after its submission a job runs on an idle worker of the same process, and on a
 * worker that shares nothing with the submitter but the database.
 */
final class PickUp implements Row {

  private static final Duration SPACE = Duration.ofMillis(20);
  private static final Duration MOST = Duration.ofMinutes(1);
  private static final int PART = 40; // Fewer than elsewhere, as the jobs are further apart.
  private static final int WARM_UP_TIMES = 10; // Ten times as many run before, at full speed.

  @Override
  public void measure(BenchServer server, Sizes sizes, Report report) throws TimeoutException {
    var jobs = sizes.paced() / PART;
    report.add(
        "%,d jobs, %d ms apart, after %,d without a pause; ms from before the submission and from"
                .formatted(jobs, SPACE.toMillis(), jobs * WARM_UP_TIMES)
            + " after its commit until it runs.");
    report.table("", "p50", "p99", "most", "after commit: p50", "p99", "most");
    for (var one : Contenders.all()) {
      try (var contender = one.emptied(server)) {
        tell(contender.name(), contender, contender, jobs, report);
      }
    }
    try (var works = Contenders.LEASEHOLD.emptied(server);
        var submits = EngineQueue.on(server)) {
      tell("leasehold, from another instance", works, submits, jobs, report);
    }
  }

  private static void tell(String name, Contender works, Contender submits, int jobs, Report report)
      throws TimeoutException {
    var warmUps = jobs * WARM_UP_TIMES;
    var tally = new Tally(warmUps + jobs);
    works.start(tally);
    for (int number = 0; number < warmUps; number++) {
      submits.submit(number);
    }
    var submitAt = new long[tally.jobs()];
    var committedAt = new long[tally.jobs()];
    BenchPace.every(SPACE)
        .run(
            0,
            1,
            jobs,
            index -> {
              var number = warmUps + index;
              submitAt[number] = System.nanoTime();
              submits.submit(number);
              committedAt[number] = System.nanoTime();
            });
    tally.awaitAllDone(works, MOST);
    works.stop();
    tally.requireEachOnce(works);
    var whole = Latencies.ofRuns(submitAt, tally, warmUps).cells();
    var after = Latencies.ofRuns(committedAt, tally, warmUps).cells();
    report.row(name, whole[0], whole[1], whole[2], after[0], after[1], after[2]);
  }
}
