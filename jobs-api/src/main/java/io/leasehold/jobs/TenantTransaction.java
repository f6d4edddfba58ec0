package io.leasehold.jobs;

/**
 * A running transaction of one tenant, passed on so that several operations take effect together or
 * not at all.
 *
 * <p>The type is opaque here, so that this module depends only on the JDK: the module that opened
 * the transaction defines its operations. A transaction belongs to the thread that runs its work,
 * and ends with that work.
 */
public interface TenantTransaction {

  /** Returns the caller that the transaction was opened for. */
  SecurityContext caller();

  /**
   * Registers a hook to run after the transaction has committed. Hooks run in the order of
   * registration, on the thread that committed.
   *
   * <p>No hook runs after a rollback. An exception from a hook is logged; it affects neither the
   * other hooks nor the caller, whose work is already committed. A hook runs outside the
   * transaction, whose connection has already been released. A hook may open its own transaction,
   * for any caller.
   *
   * @throws IllegalStateException if the transaction has ended
   */
  void afterCommit(Runnable hook);
}
