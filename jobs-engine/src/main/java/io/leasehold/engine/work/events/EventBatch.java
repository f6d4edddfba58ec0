package io.leasehold.engine.work.events;

import java.util.List;
import java.util.Optional;

/**
 * The events of one write. The same batch is written again if the outcome of the write is unknown.
 *
 * @param first the number of the first event
 * @param tellings the events, in order
 * @param progress the latest progress, if any
 */
record EventBatch(int first, List<Telling> tellings, Optional<Telling.Progress> progress) {

  /** Lower than the numbers of an attempt's end and of the events after it. */
  static final int NUMBERS_MAX = 1_000_000_000;

  static final EventBatch NONE = new EventBatch(1, List.of(), Optional.empty());

  EventBatch {
    tellings = List.copyOf(tellings);
  }

  boolean isEmpty() {
    return tellings.isEmpty() && progress.isEmpty();
  }

  /** Whether the batch holds the first events of its attempt. */
  boolean isFirst() {
    return first == 1 && !tellings.isEmpty();
  }

  /** Returns the number after the last event. */
  int next() {
    return first + tellings.size();
  }
}
