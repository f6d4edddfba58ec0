package io.leasehold.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Alternates between ways of doing the same thing, and reports how often a second each was done.
 *
 * <p>Each way has many short turns instead of one long turn, so that other load on the machine
 * affects all ways alike.
 *
 * @param turns the number of turns of each way
 * @param turn the duration of a turn
 * @param threads the number of concurrent threads
 */
public record Comparison(int turns, Duration turn, int threads) {

  // By then Java has compiled the hot code, even if compiler and workload share two processors.
  private static final int WARM_UP_TURNS = 8;

  /** Describes the method of measurement. */
  public String inWords() {
    return "%d turns of %d s each, the ways in turn, %d threads"
        .formatted(turns, turn.toSeconds(), threads);
  }

  /** Measures the ways, each in all of its turns. */
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
