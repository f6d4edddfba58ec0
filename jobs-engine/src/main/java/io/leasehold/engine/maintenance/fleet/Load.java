package io.leasehold.engine.maintenance.fleet;

/** The current load of this process's worker. */
@FunctionalInterface
public interface Load {

  /** Returns the number of stored jobs that the worker is running. */
  int running();
}
