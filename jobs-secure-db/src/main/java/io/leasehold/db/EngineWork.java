package io.leasehold.db;

import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * What the engine does in a transaction of its own.
 *
 * @param <T> what it returns
 * @param <E> the checked exception that it throws, if any
 */
@FunctionalInterface
public interface EngineWork<T extends @Nullable Object, E extends Exception> {

  /** Does the work. May run again, from the start, where the engine asked for retries. */
  T run(DSLContext tx) throws E;
}
