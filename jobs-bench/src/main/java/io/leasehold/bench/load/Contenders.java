package io.leasehold.bench.load;

import io.leasehold.bench.Contender;
import io.leasehold.bench.limit.BenchServer;
import io.leasehold.bench.limit.RawQueue;
import io.leasehold.bench.limit.SchedulerQueue;
import java.util.List;
import java.util.stream.Stream;

/** The measured queues; the others are compared with the first. */
enum Contenders {
  LIMIT,
  LEASEHOLD,
  DB_SCHEDULER;

  private static final int RAW_THREADS = 4; // The number that drains fastest on two processors.

  static List<Contenders> all() {
    return Stream.of(values()).toList();
  }

  /** Returns the platform and its lower limit. */
  static List<Contenders> ours() {
    return List.of(LIMIT, LEASEHOLD);
  }

  /** Creates an empty queue. */
  Contender emptied(BenchServer server) {
    return switch (this) {
      case LIMIT -> RawQueue.emptied(server, RAW_THREADS);
      case LEASEHOLD -> EngineQueue.emptied(server);
      case DB_SCHEDULER -> SchedulerQueue.emptied(server);
    };
  }
}
