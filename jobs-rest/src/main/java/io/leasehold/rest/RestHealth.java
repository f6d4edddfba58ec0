package io.leasehold.rest;

import java.util.Map;

/**
 * Reports the health of the process, for {@code /healthz} and {@code /readyz}. Called by several
 * threads.
 */
public interface RestHealth {

  /** Returns the current health. Must return at once, even if the database does not respond. */
  Report report();

  /**
   * The health of a process.
   *
   * @param isAlive whether it should keep running; false if only a restart would help
   * @param isReady whether it can currently do its work
   * @param components a word or two about each component, such as "up"; readable without a token
   */
  record Report(boolean isAlive, boolean isReady, Map<String, String> components) {

    /** Copies the map. */
    public Report {
      components = Map.copyOf(components);
    }
  }
}
