package io.leasehold.db.refuse;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jooq.Configuration;
import org.jooq.DataType;

/**
 * Refuses types whose names contain more than a name, since a cast writes them verbatim.
 *
 * <p>Each type is checked once, because statements use the same few types over and over. Safe to
 * share between threads.
 */
public final class AllowedTypes {

  // Types created for each statement must not fill the memory.
  private static final int REMEMBERED_MAX = 10_000;

  private final Set<Same> remembered = ConcurrentHashMap.newKeySet();

  void require(DataType<?> type, Configuration configuration) {
    var same = new Same(type);
    if (remembered.contains(same)) {
      return;
    }
    if (!OpaqueParts.isJooqs(type)) {
      throw Refusal.statement(
          "a custom type writes SQL that cannot be scoped, use a converter: %s"
              .formatted(type.getClass().getName()));
    }
    AllowedText.requireType(type.getTypeName(configuration));
    AllowedText.requireType(type.getCastTypeName(configuration));
    if (remembered.size() < REMEMBERED_MAX) {
      remembered.add(same);
    }
  }

  /** The identical type: two types of one name can be written differently and still be equal. */
  private record Same(DataType<?> type) {

    @Override
    @SuppressWarnings("ReferenceEquality")
    public boolean equals(Object other) {
      return other instanceof Same same && same.type == type;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(type);
    }
  }
}
