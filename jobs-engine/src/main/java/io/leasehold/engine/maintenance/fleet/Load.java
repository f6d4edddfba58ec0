package io.leasehold.engine.maintenance.fleet;

/** How busy this process's worker is. */
@FunctionalInterface
public interface Load {

  /** How many stored jobs it runs at this moment. */
  int running();
}
