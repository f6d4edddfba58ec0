package io.leasehold.engine.work.run;

import io.leasehold.engine.metrics.JobMeters;
import io.leasehold.engine.work.attempt.RunningJob;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The slots of all queues of this process. In direct mode, the queues share theirs. */
@Singleton
final class QueueSlots {

  private final Optional<Slots> shared;
  private final Map<String, Slots> byQueue = new TreeMap<>();

  @Inject
  QueueSlots(Terms terms, RunJobs run, JobMeters meters) {
    this.shared =
        terms.directConcurrency().stream()
            .mapToObj(most -> Slots.shared(most, run::start))
            .findAny();
    terms
        .concurrencyOf()
        .forEach(
            (queue, concurrency) -> {
              var slots = shared.orElseGet(() -> new Slots(concurrency, run::start));
              meters.slots(queue, slots.most(), slots::busy);
              byQueue.put(queue, slots);
            });
  }

  /** Returns the slots by queue. */
  Map<String, Slots> byQueue() {
    return byQueue;
  }

  /** Returns the slots that all queues share, in direct mode. */
  Optional<Slots> shared() {
    return shared;
  }

  boolean areAllFree() {
    return byQueue.values().stream().allMatch(Slots::areAllFree);
  }

  /** Returns the number of running jobs. */
  int busy() {
    return byQueue.values().stream().distinct().mapToInt(Slots::busy).sum();
  }

  /** Removes and returns the waiting jobs that were claimed before {@code before}. */
  List<RunningJob> takeWaitingSince(long before) {
    return byQueue.values().stream()
        .flatMap(slots -> slots.takeWaitingSince(before).stream())
        .toList();
  }
}
