package io.leasehold.engine.inmemory;

import io.leasehold.jobs.TenantId;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeSet;

/**
 * Jobs that wait for a slot. Tenants take turns, one job each; of a tenant's own the one of the
 * highest priority goes first, and of those the oldest. To be guarded by whoever has it.
 */
final class TenantTurns {

  private static final Comparator<MemoryJob> IN_TURN =
      Comparator.comparingInt((MemoryJob job) -> job.asked().priority())
          .reversed()
          .thenComparingLong(MemoryJob::order);

  // The first is the one whose turn it is; none is empty.
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

  /** Takes out whose turn it is. */
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
