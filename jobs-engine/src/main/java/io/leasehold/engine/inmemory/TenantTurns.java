package io.leasehold.engine.inmemory;

import io.leasehold.jobs.TenantId;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeSet;

/**
 * Jobs that wait for a slot. Tenants take turns, one job each. Within a tenant, the job with the
 * highest priority goes first, and among equals the oldest. Not thread-safe; the owner guards it.
 */
final class TenantTurns {

  private static final Comparator<MemoryJob> IN_TURN =
      Comparator.comparingInt((MemoryJob job) -> job.asked().priority())
          .reversed()
          .thenComparingLong(MemoryJob::order);

  // The first tenant is the next; no lane is empty.
  private final SequencedMap<TenantId, NavigableSet<MemoryJob>> lanes = new LinkedHashMap<>();

  void add(MemoryJob job) {
    lanes.computeIfAbsent(job.asked().tenant(), _ -> new TreeSet<>(IN_TURN)).add(job);
  }

  void remove(MemoryJob job) {
    var lane = lanes.get(job.asked().tenant());
    if (lane != null && lane.remove(job) && lane.isEmpty()) {
      lanes.remove(job.asked().tenant());
    }
  }

  /** Removes and returns the job whose turn it is. */
  Optional<MemoryJob> poll() {
    var turn = lanes.pollFirstEntry();
    if (turn == null) {
      return Optional.empty();
    }
    var job = turn.getValue().pollFirst();
    if (!turn.getValue().isEmpty()) {
      lanes.putLast(turn.getKey(), turn.getValue());
    }
    return Optional.ofNullable(job);
  }

  boolean isEmpty() {
    return lanes.isEmpty();
  }
}
