package io.leasehold.engine.service.query;

import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Cuts lists into pages. A list is read with one row more than a page holds, if there is one. */
public final class Pages {

  private Pages() {}

  /** Refuses a page size that is not 1 to {@code most}. */
  public static void requireLimit(int limit, int most) {
    if (limit < 1 || limit > most) {
      throw new IllegalArgumentException("limit must be 1 to %d, not %d".formatted(most, limit));
    }
  }

  /**
   * Returns the first page of a list.
   *
   * @param key the position of an element, from which the next page continues
   * @param page makes the page; receives no position for the last page
   */
  public static <T, K, P> P first(
      List<T> found, int limit, Function<T, K> key, BiFunction<List<T>, Optional<K>, P> page) {
    if (found.size() <= limit) {
      return page.apply(found, Optional.empty());
    }
    var first = found.subList(0, limit);
    return page.apply(first, Optional.of(key.apply(first.getLast())));
  }
}
