package io.leasehold.db;

import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantTransaction;
import org.jspecify.annotations.Nullable;

/**
 * Opens transactions, each under the role that determines which rows it may see.
 *
 * <p>A transaction commits when its work returns and rolls back when it throws; exceptions of the
 * work are passed on. A connection is taken from the pool at the first statement, not before. Safe
 * to share between threads; a transaction itself belongs to the thread that runs its work.
 *
 * <p>Errors of the database arrive as a {@link io.leasehold.jobs.JobsException} with a code.
 */
public interface Transactions {

  /**
   * Runs the work for a caller, who sees its own tenant's rows and no others.
   *
   * <p>Inside the work of another transaction of the same caller, it joins that transaction, which
   * then commits or rolls back as a whole. If the inner work throws, nothing of the outer
   * transaction is committed, even if the outer work continues.
   *
   * @throws IllegalStateException inside the work of a transaction for another caller
   */
  default <T extends @Nullable Object, E extends Exception> T asTenant(
      SecurityContext caller, TenantWork<T, E> work) throws E {
    return asTenant(caller, TransactionOptions.defaults(), work);
  }

  /**
   * Runs the work for a caller, with its own limits or guarantees.
   *
   * @throws IllegalStateException inside the work of another transaction, whose options apply
   */
  <T extends @Nullable Object, E extends Exception> T asTenant(
      SecurityContext caller, TransactionOptions options, TenantWork<T, E> work) throws E;

  /**
   * Runs the work in a transaction that other code opened and will end.
   *
   * @throws IllegalStateException if the transaction has ended, or belongs to another thread
   */
  <T extends @Nullable Object, E extends Exception> T within(
      TenantTransaction tx, TenantWork<T, E> work) throws E;

  /**
   * Runs the work as the engine, which sees every tenant's job rows, and no business table.
   *
   * <p>For the engine only: this is the one exception to "every statement is scoped to a tenant".
   */
  default <T extends @Nullable Object, E extends Exception> T asEngine(EngineWork<T, E> work)
      throws E {
    return asEngine(TransactionOptions.defaults(), work);
  }

  /** Runs the work as the engine, with its own limits or guarantees. */
  <T extends @Nullable Object, E extends Exception> T asEngine(
      TransactionOptions options, EngineWork<T, E> work) throws E;
}
