package io.leasehold.engine.signal.watch;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * What one process tells the others about jobs that are watched.
 *
 * <p>Every session of the database can hear it, and say the like. So it names no tenant and no job,
 * and all that it brings about is a look, or that looks are told of for a while.
 *
 * @param sender a word of the sending process's own
 * @param about what it says
 * @param jobs of which, by their hashes
 */
record WatchHint(String sender, About about, List<Long> jobs) {

  // As many as 7,900 bytes hold; the server takes 7,999 at once.
  private static final int JOBS_MOST = 700;

  WatchHint {
    jobs = List.copyOf(jobs);
  }

  /** What is said. */
  enum About {
    /** The sender watches these, for a while. */
    WATCHED("w"),
    /** Something happened to these. */
    CHANGED("c"),
    /** The sender has not heard who watches what. */
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

  /** As few as can hold the jobs; one if there are none. */
  static List<String> inWords(String sender, About about, Collection<Long> jobs) {
    var all = List.copyOf(jobs);
    var hints = new ArrayList<String>();
    var from = 0;
    do {
      var some = all.subList(from, Math.min(all.size(), from + JOBS_MOST));
      hints.add(sender + ' ' + about.word + ' ' + packed(some));
      from += JOBS_MOST;
    } while (from < all.size());
    return hints;
  }

  /** Understands what anybody said; nothing, if that is nonsense. */
  static Optional<WatchHint> of(String words) {
    var parts = List.of(words.split(" ", -1));
    if (parts.size() != 3) {
      return Optional.empty();
    }
    try {
      var jobs = unpacked(parts.get(2));
      return About.of(parts.get(1)).map(about -> new WatchHint(parts.getFirst(), about, jobs));
    } catch (IllegalArgumentException _) {
      return Optional.empty(); // Nobody of ours said it.
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
