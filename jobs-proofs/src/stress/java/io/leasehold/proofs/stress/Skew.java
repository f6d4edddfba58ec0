package io.leasehold.proofs.stress;

import java.time.Duration;
import java.util.Map;

/** Whose wall clock is wrong, and by how much. Its monotonic clock is right. */
enum Skew {
  FAST("+1h", Duration.ofHours(1), 1),
  SLOW("-1h", Duration.ofHours(-1), 2);

  private final String word;
  private final Duration offset;
  private final int tenant;

  Skew(String word, Duration offset, int tenant) {
    this.word = word;
    this.offset = offset;
    this.tenant = tenant;
  }

  Duration offset() {
    return offset;
  }

  /** The tenant that its submitter submits for. */
  int tenant() {
    return tenant;
  }

  /** What a process is given so that it reads that clock. */
  Map<String, String> environment() {
    var library = System.getProperty("leasehold.faketime", "");
    if (library.isEmpty()) {
      throw new IllegalStateException(
          "no libfaketime found: install Debian's package libfaketime, and run ./check stress");
    }
    return Map.of(
        "LD_PRELOAD",
        library,
        "FAKETIME",
        word,
        "FAKETIME_DONT_FAKE_MONOTONIC",
        "1",
        // Or else what waits by the monotonic clock does not wait.
        "FAKETIME_FORCE_MONOTONIC_FIX",
        "0");
  }
}
