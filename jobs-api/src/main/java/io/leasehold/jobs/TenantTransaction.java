package io.leasehold.jobs;

/**
 * A running transaction of one tenant, handed on so that several things happen together or not at
 * all.
 *
 * <p>Opaque here, so that this module needs nothing but the JDK: what can be done in it belongs to
 * the module that opened it. It belongs to the thread that runs its work and ends with that work.
 */
public interface TenantTransaction {

  /** For whom the transaction was opened. */
  SecurityContext caller();

  /**
   * Runs something once the transaction has committed, in the order of registration, on the thread
   * that committed.
   *
   * <p>Nothing runs after a rollback. What a hook throws is logged and stops neither the others nor
   * the caller, whose work is committed already. A hook runs outside the transaction, whose
   * connection is given back by then: it may open a transaction of its own, for any caller.
   *
   * @throws IllegalStateException if the transaction is over
   */
  void afterCommit(Runnable hook);
}
