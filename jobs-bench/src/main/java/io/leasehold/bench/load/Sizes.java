package io.leasehold.bench.load;

/**
 * The sizes of a run.
 *
 * @param warmUps the number of warm-up rounds, which do not count
 * @param rounds the number of rounds that count, after the warm-up
 * @param jobs the number of jobs in one turn of a round
 * @param paced the number of jobs submitted at a given pace
 * @param backlog the number of jobs that are finished, or due later, while other jobs are processed
 * @param clients the number of concurrent clients of live streams
 * @param events the number of events sent to these clients
 */
record Sizes(int warmUps, int rounds, int jobs, int paced, int backlog, int clients, int events) {

  /** The sizes behind the figures in the documentation. */
  static Sizes full() {
    return new Sizes(3, 5, 50_000, 60_000, 1_000_000, 10_000, 2_000);
  }

  /** The smallest sizes that show that the benchmark still works. */
  static Sizes tiny() {
    return new Sizes(0, 1, 200, 400, 200, 30, 20);
  }
}
