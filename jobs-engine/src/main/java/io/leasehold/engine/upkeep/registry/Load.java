package io.leasehold.engine.upkeep.registry;

/** How busy this process's worker is. */
@FunctionalInterface
public interface Load {

  /** How many stored jobs it runs at this moment. */
  int running();
}
