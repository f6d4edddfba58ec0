package io.leasehold.bench.load;

import io.leasehold.bench.Contender;
import io.leasehold.bench.Report;
import io.leasehold.bench.Tally;
import io.leasehold.bench.limit.BenchServer;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** Measures how many waiting no-op jobs a second one process finishes. */
final class Drain implements Row {

  private static final Duration MOST = Duration.ofMinutes(5);
  private static final int CHUNK = 10_000;

  @Override
  public void measure(BenchServer server, Sizes sizes, Report report) throws TimeoutException {
    var rates = new Rates();
    for (int round = -sizes.warmUps(); round < sizes.rounds(); round++) {
      for (var one : Contenders.all()) {
        try (var contender = one.emptied(server)) {
          rates.add(round, contender.name(), rate(contender, sizes.jobs()));
        }
      }
    }
    report.add("%,d waiting jobs, %d rounds.".formatted(sizes.jobs(), sizes.rounds()));
    rates.tell(report, "jobs/s");
  }

  /** Submits the jobs, then finishes them; returns jobs per second. */
  static double rate(Contender contender, int jobs) throws TimeoutException {
    submit(contender, jobs);
    return rateOfWaiting(contender, jobs);
  }

  /** Submits {@code jobs} jobs, up to 10,000 per transaction. */
  static void submit(Contender contender, int jobs) {
    for (int i = 0; i < jobs; i += CHUNK) {
      contender.submitAll(i, Math.min(CHUNK, jobs - i));
    }
  }

  /** Finishes the submitted jobs; returns jobs per second. */
  static double rateOfWaiting(Contender contender, int jobs) throws TimeoutException {
    var begin = System.nanoTime();
    var tally = work(contender, jobs);
    var seconds = (System.nanoTime() - begin) / 1e9;
    contender.stop();
    tally.requireEachOnce(contender);
    return jobs / seconds;
  }

  /** Works until all jobs are finished. */
  static Tally work(Contender contender, int jobs) throws TimeoutException {
    var tally = new Tally(jobs);
    contender.start(tally);
    tally.awaitAllDone(contender, MOST);
    return tally;
  }
}
