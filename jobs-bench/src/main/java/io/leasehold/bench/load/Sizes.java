package io.leasehold.bench.load;

/**
 * How much of everything a run does.
 *
 * @param warmUps how many rounds are not counted
 * @param rounds how many rounds are counted, after these
 * @param jobs in one turn of a round
 * @param paced how many jobs are submitted at a given pace
 * @param backlog how many jobs are finished, or due later, while others are worked off
 * @param clients how many read live streams at a time
 * @param events how many events are told to them
 */
record Sizes(int warmUps, int rounds, int jobs, int paced, int backlog, int clients, int events) {

  /** What the documents cite. */
  static Sizes full() {
    return new Sizes(3, 5, 50_000, 60_000, 1_000_000, 10_000, 2_000);
  }

  /** As little as shows that it still works. */
  static Sizes tiny() {
    return new Sizes(0, 1, 200, 400, 200, 30, 20);
  }
}
