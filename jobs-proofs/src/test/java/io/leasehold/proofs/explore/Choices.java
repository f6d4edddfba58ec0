package io.leasehold.proofs.explore;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Who goes on next, wherever more than one can: one way after the other. */
interface Choices {

  /** Chooses one of {@code of} possibilities. */
  int choose(int of);

  /** Whether there is another way; from here on its choices are made. */
  boolean next();

  /** Restarts the current way, with the same choices. */
  void again();

  /** Restarts the current way as it is now: where it has other choices than before, they count. */
  void adapt();

  /** A way has other choices than the last time: a session was later than it was then. */
  final class Diverged extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private Diverged(String message) {
      super(message);
    }
  }

  /** Every way once. */
  static Choices all() {
    return new Choices() {
      private final List<Integer> chosen = new ArrayList<>();
      private final List<Integer> outOf = new ArrayList<>();
      private int place;
      private boolean adapts;

      @Override
      public int choose(int of) {
        if (place == chosen.size()) {
          chosen.add(0);
          outOf.add(of);
        }
        if (outOf.get(place) != of) {
          part(of);
        }
        return chosen.get(place++);
      }

      // What was chosen behind this place belongs to the way as it was.
      private void part(int of) {
        if (!adapts) {
          throw new Diverged(
              "there were %d to choose from, and now %d".formatted(outOf.get(place), of));
        }
        chosen.subList(place + 1, chosen.size()).clear();
        outOf.subList(place + 1, outOf.size()).clear();
        chosen.set(place, Math.min(chosen.get(place), of - 1));
        outOf.set(place, of);
      }

      @Override
      public boolean next() {
        while (!chosen.isEmpty() && chosen.getLast() == outOf.getLast() - 1) {
          chosen.removeLast();
          outOf.removeLast();
        }
        if (chosen.isEmpty()) {
          return false;
        }
        chosen.set(chosen.size() - 1, chosen.getLast() + 1);
        place = 0;
        adapts = false;
        return true;
      }

      @Override
      public void again() {
        place = 0;
      }

      @Override
      public void adapt() {
        place = 0;
        adapts = true;
      }
    };
  }

  /** Tries {@code ways} ways at random. */
  static Choices some(RandomGenerator random, int ways) {
    return new Choices() {
      private int way = 1;

      @Override
      public int choose(int of) {
        return random.nextInt(of);
      }

      @Override
      public boolean next() {
        return way++ < ways;
      }

      @Override
      public void again() {}

      @Override
      public void adapt() {}
    };
  }
}
