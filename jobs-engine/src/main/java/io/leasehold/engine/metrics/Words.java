package io.leasehold.engine.metrics;

import java.util.Collection;
import java.util.Set;

/**
 * The values that a tag may have: few, and known when the engine is made. Whatever else comes is
 * told as one of them, so that neither a tenant's strings nor their number reach a registry.
 */
final class Words {

  /** In the place of all others. */
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
