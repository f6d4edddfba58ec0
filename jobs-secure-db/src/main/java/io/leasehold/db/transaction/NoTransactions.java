package io.leasehold.db.transaction;

import org.jooq.TransactionContext;
import org.jooq.TransactionProvider;

/** Refuses jOOQ's own transactions inside ours, which they would commit or roll back halfway. */
final class NoTransactions implements TransactionProvider {

  @Override
  public void begin(TransactionContext ctx) {
    throw refusal();
  }

  @Override
  public void commit(TransactionContext ctx) {
    throw refusal();
  }

  @Override
  public void rollback(TransactionContext ctx) {
    throw refusal();
  }

  private static IllegalStateException refusal() {
    return new IllegalStateException(
        "a transaction runs already: for a part that may fail alone, use savepoint(…)");
  }
}
