package io.leasehold.rest.settings;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Suggests the word that was probably meant. */
final class Spelling {

  private Spelling() {}

  /** Returns the word with the fewest typos, at most {@code slips}, compared with the one seen. */
  static Optional<String> nearest(Collection<String> words, String seen, int slips) {
    return words.stream()
        .filter(it -> slips(it, seen) <= slips)
        .min(Comparator.<String>comparingInt(it -> slips(it, seen)).thenComparing(it -> it));
  }

  /** The number of letters to insert, delete or change. */
  private static int slips(String one, String other) {
    var above = new int[other.length() + 1];
    for (int j = 0; j <= other.length(); j++) {
      above[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      var row = new int[other.length() + 1];
      row[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int same = above[j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(same, 1 + Math.min(above[j], row[j - 1]));
      }
      above = row;
    }
    return above[other.length()];
  }
}
