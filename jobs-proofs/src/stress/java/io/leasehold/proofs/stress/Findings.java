package io.leasehold.proofs.stress;

import java.util.ArrayList;
import java.util.List;

/** What was found to be wrong. */
final class Findings {

  private final List<String> wrong = new ArrayList<>();

  /** Says what was seen, and keeps it if it is wrong. */
  void require(boolean isRight, String what) {
    System.out.println((isRight ? "  ok     " : "  WRONG  ") + what);
    if (!isRight) {
      wrong.add(what);
    }
  }

  boolean isEmpty() {
    return wrong.isEmpty();
  }

  /** Says in the last lines what is wrong. */
  void tell() {
    System.out.printf("%d found to be wrong%n", wrong.size());
    wrong.forEach(what -> System.out.println("  should hold: " + what));
  }
}
