package io.leasehold.engine.signal.wakeup;

import java.util.List;
import java.util.Optional;

/**
 * A message to the workers of other processes: what to check.
 *
 * @param topic a queue with new jobs, a topic of {@link #changed}, or that of {@link
 *     #CANCELLATIONS}
 */
record Hint(String topic) implements SendNotifications.Message {

  static final String CHANNEL = "leasehold_wake";

  /** Requests to cancel; no queue can have this name. */
  static final Hint CANCELLATIONS = new Hint("!cancel");

  private static final String CHANGED = "=";

  /** Returns the hint about a change of what may be claimed from a queue. */
  static Hint changed(String queue) {
    return new Hint(CHANGED + queue);
  }

  /** Returns the queue of a hint made by {@link #changed}. */
  Optional<String> changedQueue() {
    return topic.startsWith(CHANGED)
        ? Optional.of(topic.substring(CHANGED.length()))
        : Optional.empty();
  }

  @Override
  public String channel() {
    return CHANNEL;
  }

  @Override
  public List<String> texts() {
    return List.of(topic);
  }

  /** Parses text from any sender. Nonsense yields topics that no worker knows. */
  static List<Hint> of(String text) {
    return List.of(text.split(" ", -1)).stream().map(Hint::new).toList();
  }
}
