package io.leasehold.rest;

import java.util.Map;

/** Tells whether the process can do its work, for {@code /readyz}. Asked by several threads. */
public interface RestHealth {

  /** How it is now. */
  Report readiness();

  /**
   * How a process is.
   *
   * @param isReady whether it can do its work
   * @param components a word or two about each part of it, like "up"; everybody can read them
   */
  record Report(boolean isReady, Map<String, String> components) {

    /** Keeps a copy of the words. */
    public Report {
      components = Map.copyOf(components);
    }
  }
}
