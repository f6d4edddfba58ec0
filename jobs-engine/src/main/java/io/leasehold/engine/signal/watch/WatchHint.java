package io.leasehold.engine.signal.watch;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * A message from one process to the others about watched jobs. A forged one causes no more than an
 * extra check, or extra announcements for a while.
 *
 * @param about the kind of message
 * @param jobs the jobs that the message is about, by hash
 */
record WatchHint(About about, List<Long> jobs) {

  // This number fits into 7,900 bytes; the server accepts up to 7,999 at once.
  private static final int JOBS_MOST = 700;

  WatchHint {
    jobs = List.copyOf(jobs);
  }

  /** The kind of message. */
  enum About {
    /** The sender watches these jobs for a while. */
    WATCHED("w"),
    /** These jobs have changed. */
    CHANGED("c"),
    /** The sender asks which jobs the other processes watch. */
    ASKED("a");

    private final String word;

    About(String word) {
      this.word = word;
    }

    private static Optional<About> of(String word) {
      for (var one : values()) {
        if (one.word.equals(word)) {
          return Optional.of(one);
        }
      }
      return Optional.empty();
    }
  }

  /** Returns the text of as few hints as can hold the jobs; one hint if there are no jobs. */
  static List<String> inWords(About about, Collection<Long> jobs) {
    var all = List.copyOf(jobs);
    var hints = new ArrayList<String>();
    var from = 0;
    do {
      var some = all.subList(from, Math.min(all.size(), from + JOBS_MOST));
      hints.add(about.word + ' ' + packed(some));
      from += JOBS_MOST;
    } while (from < all.size());
    return hints;
  }

  /** Parses text from any sender; empty if the text is invalid. */
  static Optional<WatchHint> of(String words) {
    var parts = List.of(words.split(" ", -1));
    if (parts.size() != 2) {
      return Optional.empty();
    }
    try {
      var jobs = unpacked(parts.getLast());
      return About.of(parts.getFirst()).map(about -> new WatchHint(about, jobs));
    } catch (IllegalArgumentException _) {
      return Optional.empty(); // Sent by a foreign session.
    }
  }

  private static String packed(List<Long> jobs) {
    var bytes = ByteBuffer.allocate(jobs.size() * Long.BYTES);
    jobs.forEach(bytes::putLong);
    return Base64.getEncoder().withoutPadding().encodeToString(bytes.array());
  }

  private static List<Long> unpacked(String words) {
    var longs = ByteBuffer.wrap(Base64.getDecoder().decode(words)).asLongBuffer();
    return LongStream.generate(longs::get).limit(longs.remaining()).boxed().toList();
  }
}
