package io.leasehold.engine.signal.wakeup;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What one process tells the others: where to look, and who says so.
 *
 * <p>Every session of the database can hear it, and say the like. So it names no tenant and no job,
 * and the sender is not known as a worker: a worker's id is a part of its fence.
 *
 * @param sender a word of the sending process's own
 * @param topics queues, {@link #changed} ones, or {@link #CANCELLATIONS}
 */
record Hint(String sender, List<String> topics) {

  /** The topic of requests to cancel; no queue can be called so. */
  static final String CANCELLATIONS = "!cancel";

  private static final String CHANGED = "=";

  // The server takes 7,999 bytes at once; all words are of ASCII.
  private static final int LENGTH_MAX = 7_900;

  Hint {
    topics = List.copyOf(topics);
  }

  /** The topic of a queue of which it has changed what may be claimed. */
  static String changed(String queue) {
    return CHANGED + queue;
  }

  /** The queue of such a topic. */
  static Optional<String> queueOfChanged(String topic) {
    return topic.startsWith(CHANGED)
        ? Optional.of(topic.substring(CHANGED.length()))
        : Optional.empty();
  }

  static String newSender() {
    return UUID.randomUUID().toString();
  }

  /** As few as can hold the topics. */
  static List<String> inWords(String sender, Collection<String> topics) {
    var hints = new ArrayList<String>();
    var words = new StringBuilder(sender);
    for (var topic : topics) {
      if (words.length() + 1 + topic.length() > LENGTH_MAX) {
        hints.add(words.toString());
        words = new StringBuilder(sender);
      }
      words.append(' ').append(topic);
    }
    hints.add(words.toString());
    return hints;
  }

  /** Understands what anybody said; nonsense has topics that nobody knows. */
  static Hint of(String words) {
    var parts = List.of(words.split(" ", -1));
    return new Hint(parts.getFirst(), parts.subList(1, parts.size()));
  }
}
