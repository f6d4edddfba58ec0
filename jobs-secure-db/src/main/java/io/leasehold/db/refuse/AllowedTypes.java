package io.leasehold.db.refuse;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jooq.Configuration;
import org.jooq.DataType;

/**
 * Refuses types whose names are more than names: a cast writes them as they are.
 *
 * <p>Looks at each type once, because statements use the same few over and over. Safe to share
 * between threads.
 */
public final class AllowedTypes {

  // Types that are made anew for each statement must not fill the memory.
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

  /** The very type: two of one name can be written differently, and be equal all the same. */
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
