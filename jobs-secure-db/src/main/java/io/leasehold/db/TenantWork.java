package io.leasehold.db;

import org.jspecify.annotations.Nullable;

/**
 * Work that is done in a transaction of a tenant.
 *
 * @param <T> the return type
 * @param <E> the checked exception that it throws, if any
 */
@FunctionalInterface
public interface TenantWork<T extends @Nullable Object, E extends Exception> {

  /** Does the work. It may run again from the start if the caller asked for retries. */
  T run(ScopedTransaction tx) throws E;
}
