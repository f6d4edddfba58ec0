package io.leasehold.rest;

import java.util.Map;

/**
 * Tells how the process does, for {@code /healthz} and {@code /readyz}. Asked by several threads.
 */
public interface RestHealth {

  /** How it is now. Has to answer at once, also while the database does not. */
  Report report();

  /**
   * How a process is.
   *
   * @param isAlive whether it should go on: false if nothing but a new process would help
   * @param isReady whether it can do its work at present
   * @param components a word or two about each part of it, like "up"; everybody can read them
   */
  record Report(boolean isAlive, boolean isReady, Map<String, String> components) {

    /** Keeps a copy of the words. */
    public Report {
      components = Map.copyOf(components);
    }
  }
}
