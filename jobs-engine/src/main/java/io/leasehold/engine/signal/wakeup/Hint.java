package io.leasehold.engine.signal.wakeup;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A message from one process to the others: which topics to check, and the sender.
 *
 * <p>Every session of the database can receive such messages, and can send forged ones. A hint
 * therefore contains no tenant and no job. The sender is not a worker's id, because that id is part
 * of the worker's fence.
 *
 * @param sender a random name of the sending process
 * @param topics queues, topics of {@link #changed}, or {@link #CANCELLATIONS}
 */
record Hint(String sender, List<String> topics) {

  /** The topic of requests to cancel; no queue can have this name. */
  static final String CANCELLATIONS = "!cancel";

  private static final String CHANGED = "=";

  // The server accepts up to 7,999 bytes at once; all text is ASCII.
  private static final int LENGTH_MAX = 7_900;

  Hint {
    topics = List.copyOf(topics);
  }

  /** Returns the topic for a change of what may be claimed from a queue. */
  static String changed(String queue) {
    return CHANGED + queue;
  }

  /** Returns the queue of a topic made by {@link #changed}. */
  static Optional<String> queueOfChanged(String topic) {
    return topic.startsWith(CHANGED)
        ? Optional.of(topic.substring(CHANGED.length()))
        : Optional.empty();
  }

  static String newSender() {
    return UUID.randomUUID().toString();
  }

  /** Returns the text of as few hints as can hold the topics. */
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

  /** Parses text from any sender. Nonsense yields topics that no worker knows. */
  static Hint of(String words) {
    var parts = List.of(words.split(" ", -1));
    return new Hint(parts.getFirst(), parts.subList(1, parts.size()));
  }
}
