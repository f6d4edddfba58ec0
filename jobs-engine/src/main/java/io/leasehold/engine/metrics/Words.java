package io.leasehold.engine.metrics;

import java.util.Collection;
import java.util.Set;

/**
 * The allowed values of a tag: few, and known when the engine is created. Any other value is
 * reported as {@code other}, so that neither the text nor the number of a tenant's strings reaches
 * a registry.
 */
final class Words {

  /** Replaces all other values. */
  static final String OTHER = "other";

  private final Set<String> known;

  Words(Collection<String> known) {
    this.known = Set.copyOf(known);
  }

  String of(String word) {
    return known.contains(word) ? word : OTHER;
  }

  Set<String> known() {
    return known;
  }
}
