package io.leasehold.engine.notify;

import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.val;

import java.util.Collection;
import org.jooq.DSLContext;

/**
 * Tells all who listen on a channel, once the transaction commits.
 *
 * <p>That commit takes a lock which all such commits of the whole server wait for. A transaction
 * that does nothing else writes nothing to disk, and so holds the lock for a moment only.
 */
final class SendHints {

  private SendHints() {}

  static void send(DSLContext tx, String channel, Collection<String> hints) {
    tx.select(
            hints.stream()
                .map(hint -> function(name("pg_notify"), String.class, val(channel), val(hint)))
                .toList())
        .fetch();
  }
}
