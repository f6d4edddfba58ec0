package io.leasehold.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/** Threads that do the same work concurrently. */
public final class Crew {

  private Crew() {}

  /** Runs a part on each thread, numbered from 0, and returns the results. */
  public static <T> List<T> all(int threads, IntFunction<Callable<T>> part)
      throws InterruptedException, ExecutionException {
    try (var executor = Executors.newFixedThreadPool(threads)) {
      var running = new ArrayList<Future<T>>();
      for (int i = 0; i < threads; i++) {
        running.add(executor.submit(part.apply(i)));
      }
      var results = new ArrayList<T>();
      for (var future : running) {
        results.add(future.get());
      }
      return results;
    }
  }
}
