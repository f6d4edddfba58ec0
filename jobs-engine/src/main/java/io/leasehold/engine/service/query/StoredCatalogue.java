package io.leasehold.engine.service.query;

import static io.leasehold.db.schema.Tables.KNOWN_HANDLERS;

import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import io.leasehold.jobs.HandlerId;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.spi.HandlerCatalogue;
import io.leasehold.jobs.spi.KnownHandler;
import jakarta.inject.Inject;
import java.util.List;

/** The handlers that workers registered. */
public final class StoredCatalogue implements HandlerCatalogue {

  private static final TransactionOptions ONE_STATEMENT =
      TransactionOptions.defaults().asOneStatement();

  private final Transactions transactions;

  @Inject
  StoredCatalogue(Transactions transactions) {
    this.transactions = transactions;
  }

  @Override
  public List<KnownHandler> handlers(SecurityContext caller) {
    var known = KNOWN_HANDLERS.call();
    return transactions.asTenant(
        caller,
        ONE_STATEMENT,
        tx ->
            tx.dsl()
                .select(known.HANDLER_ID, known.QUEUE, known.IS_LIVE)
                .from(known)
                .orderBy(known.HANDLER_ID)
                .fetch(
                    row ->
                        new KnownHandler(new HandlerId(row.value1()), row.value2(), row.value3())));
  }
}
