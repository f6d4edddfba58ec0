package io.leasehold.bench.load;

/**
 * How much of everything a run does.
 *
 * @param warmUps how many rounds are not counted
 * @param rounds how many rounds are counted, after these
 * @param jobs in one turn of a round
 * @param paced how many jobs are submitted at a given pace
 * @param backlog how many jobs are finished, or due later, while others are worked off
 */
record Sizes(int warmUps, int rounds, int jobs, int paced, int backlog) {

  /** What the documents cite. */
  static Sizes full() {
    return new Sizes(3, 5, 50_000, 60_000, 1_000_000);
  }

  /** As little as shows that it still works. */
  static Sizes tiny() {
    return new Sizes(0, 1, 200, 400, 200);
  }
}
