package io.leasehold.rest.limit;

/** A place that is taken. */
@FunctionalInterface
public interface Place extends AutoCloseable {

  /** Releases the place. Repeated, it does nothing. */
  @Override
  void close();
}
