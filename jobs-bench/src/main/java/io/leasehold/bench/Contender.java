package io.leasehold.bench;

/**
 * A queue under measurement, from empty to closed. Jobs are numbered from 0; each job records its
 * number in the tally, and does nothing else.
 */
public interface Contender extends AutoCloseable {

  /** The name in the report. */
  String name();

  /** Submits one job in its own transaction; several threads may do so. */
  void submit(int number);

  /** Submits jobs in one transaction, in batches of the best size for this queue. */
  void submitAll(int first, int count);

  /** Starts working. */
  void start(Tally tally);

  /** Whether no job is left, and the ends of all jobs are stored. */
  boolean isDone();

  /** Returns how many jobs succeeded at the first attempt, according to the database. */
  long succeeded();

  /** Stops working. */
  void stop();

  /** Releases all resources, and leaves the data in the database. */
  @Override
  void close();
}
