package io.leasehold.engine.signal.watch;

import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.val;

import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import java.util.Collection;
import org.jooq.DSLContext;

/**
 * Tells all who listen on a channel, once the transaction commits.
 *
 * <p>That commit takes a lock which all such commits of the whole server wait for. A transaction
 * that does nothing else writes nothing to disk, and so holds the lock for a moment only.
 */
public final class SendHints {

  private SendHints() {}

  /** Tells them in a transaction of their own. */
  public static void send(Transactions transactions, String channel, Collection<String> hints) {
    transactions.asEngine(
        TransactionOptions.defaults().asOneStatement(),
        tx -> {
          send(tx, channel, hints);
          return hints;
        });
  }

  private static void send(DSLContext tx, String channel, Collection<String> hints) {
    tx.select(
            hints.stream()
                .map(hint -> function(name("pg_notify"), String.class, val(channel), val(hint)))
                .toList())
        .fetch();
  }
}
