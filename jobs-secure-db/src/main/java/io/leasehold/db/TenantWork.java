package io.leasehold.db;

import org.jspecify.annotations.Nullable;

/**
 * What is done in a transaction of a tenant.
 *
 * @param <T> what it returns
 * @param <E> the checked exception that it throws, if any
 */
@FunctionalInterface
public interface TenantWork<T extends @Nullable Object, E extends Exception> {

  /** Does the work. May run again, from the start, where the caller asked for retries. */
  T run(ScopedTransaction tx) throws E;
}
