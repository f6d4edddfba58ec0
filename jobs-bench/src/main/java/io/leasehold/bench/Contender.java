package io.leasehold.bench;

/**
 * A queue that is measured, from nothing to closed. Jobs are numbered from 0; each writes its
 * number down in the tally, and does nothing else.
 */
public interface Contender extends AutoCloseable {

  /** What the report calls it. */
  String name();

  /** Submits one job, in a transaction of its own; several threads may do so. */
  void submit(int number);

  /** Submits jobs in one transaction, as many at a time as is best. */
  void submitAll(int first, int count);

  /** Starts to work. */
  void start(Tally tally);

  /** Whether nothing is left to do, and the ends of all jobs are written. */
  boolean isDone();

  /** How many jobs the database says have succeeded, at the first attempt. */
  long succeeded();

  /** Stops working. */
  void stop();

  /** Leaves what is in the database, and gives back everything else. */
  @Override
  void close();
}
