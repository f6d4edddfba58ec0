package io.leasehold.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Takes turns between ways of doing the same, and tells how often a second each was done.
 *
 * <p>Each way has many short turns instead of one long one: what else the machine does falls on all
 * of them.
 *
 * @param turns how many turns each way has
 * @param turn how long a turn takes
 * @param threads how many do the same at once
 */
public record Comparison(int turns, Duration turn, int threads) {

  // By then Java has compiled what it will, also where two processors do that and the work.
  private static final int WARM_UP_TURNS = 8;

  /** How it is measured. */
  public String inWords() {
    return "%d turns of %d s each, the ways in turn, %d threads"
        .formatted(turns, turn.toSeconds(), threads);
  }

  /** Measures the ways, each in all its turns. */
  public void run(Way... ways) throws InterruptedException, ExecutionException {
    for (int i = -WARM_UP_TURNS; i < turns; i++) {
      for (var way : ways) {
        var rate = rate(way.once());
        if (i >= 0) {
          way.rates().add(rate);
        }
      }
    }
  }

  private double rate(Runnable way) throws InterruptedException, ExecutionException {
    var begin = System.nanoTime();
    var end = begin + turn.toNanos();
    Callable<Long> loop = () -> repeat(way, end);
    long done = 0;
    try (var executor = Executors.newFixedThreadPool(threads)) {
      var running = new ArrayList<Future<Long>>();
      for (int i = 0; i < threads; i++) {
        running.add(executor.submit(loop));
      }
      for (var future : running) {
        done += future.get();
      }
    }
    return done * 1e9 / (System.nanoTime() - begin);
  }

  private static long repeat(Runnable way, long end) {
    long done = 0;
    while (System.nanoTime() - end < 0) {
      way.run();
      done++;
    }
    return done;
  }
}
