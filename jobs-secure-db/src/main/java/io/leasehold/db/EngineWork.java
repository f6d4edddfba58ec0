package io.leasehold.db;

import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Work that the engine does in a transaction of its own.
 *
 * @param <T> the return type
 * @param <E> the checked exception that it throws, if any
 */
@FunctionalInterface
public interface EngineWork<T extends @Nullable Object, E extends Exception> {

  /** Does the work. It may run again from the start if the engine asked for retries. */
  T run(DSLContext tx) throws E;
}
