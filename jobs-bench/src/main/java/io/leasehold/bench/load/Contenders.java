package io.leasehold.bench.load;

import io.leasehold.bench.Contender;
import io.leasehold.bench.limit.BenchServer;
import io.leasehold.bench.limit.RawQueue;
import io.leasehold.bench.limit.SchedulerQueue;
import java.util.List;
import java.util.stream.Stream;

/** Who is measured, what others are compared with first. */
enum Contenders {
  LIMIT,
  LEASEHOLD,
  DB_SCHEDULER;

  private static final int RAW_THREADS = 4; // As many as drain fastest on two processors.

  static List<Contenders> all() {
    return Stream.of(values()).toList();
  }

  /** The platform and the least that it can be. */
  static List<Contenders> ours() {
    return List.of(LIMIT, LEASEHOLD);
  }

  /** One with nothing in it. */
  Contender emptied(BenchServer server) {
    return switch (this) {
      case LIMIT -> RawQueue.emptied(server, RAW_THREADS);
      case LEASEHOLD -> EngineQueue.emptied(server);
      case DB_SCHEDULER -> SchedulerQueue.emptied(server);
    };
  }
}
