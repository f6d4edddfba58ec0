package io.leasehold.engine.signal.watch;

import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.val;

import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import java.util.Collection;
import org.jooq.DSLContext;

/**
 * Notifies all listeners on a channel once the transaction commits.
 *
 * <p>Such a commit takes a lock for which all such commits of the whole server wait. A transaction
 * that does nothing else writes nothing to disk, and so holds the lock only briefly.
 */
public final class SendHints {

  private SendHints() {}

  /** Sends the hints in a transaction of their own. */
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
