package io.leasehold.engine.work.events;

import java.util.List;
import java.util.Optional;

/**
 * What is written in one go, and again as it is if nobody knows whether it was.
 *
 * @param first the number of the first
 * @param tellings what is told, in its order
 * @param progress how far the work is by then
 */
record EventBatch(int first, List<Telling> tellings, Optional<Telling.Progress> progress) {

  /** Below the numbers of an attempt's end, and of what comes after it. */
  static final int NUMBERS_MAX = 1_000_000_000;

  static final EventBatch NONE = new EventBatch(1, List.of(), Optional.empty());

  EventBatch {
    tellings = List.copyOf(tellings);
  }

  boolean isEmpty() {
    return tellings.isEmpty() && progress.isEmpty();
  }

  /** Whether its attempt has told nothing before that is an event. */
  boolean isFirst() {
    return first == 1 && !tellings.isEmpty();
  }

  /** The number behind the last. */
  int next() {
    return first + tellings.size();
  }
}
