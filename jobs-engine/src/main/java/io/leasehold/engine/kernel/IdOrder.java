package io.leasehold.engine.kernel;

import java.util.Comparator;
import java.util.UUID;

/**
 * The order in which the database sorts ids. Java's own UUID order compares both halves as signed
 * numbers.
 */
public final class IdOrder {

  public static final Comparator<UUID> UNSIGNED =
      Comparator.comparing(UUID::getMostSignificantBits, Long::compareUnsigned)
          .thenComparing(UUID::getLeastSignificantBits, Long::compareUnsigned);

  private IdOrder() {}
}
