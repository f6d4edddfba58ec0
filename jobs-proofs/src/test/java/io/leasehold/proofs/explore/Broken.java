package io.leasehold.proofs.explore;

import static io.leasehold.proofs.explore.Operation.engine;
import static io.leasehold.proofs.explore.Operation.tenant;
import static io.leasehold.proofs.explore.Target.CALLER;

import org.jooq.DSLContext;

/** Statements as they must not be, by which the explorer shows that it finds such. */
final class Broken {

  /** Takes what it found expired, whatever has become of it. */
  static final Operation RESCUE =
      engine(
          "rescue",
          (transactions, _) ->
              transactions.asEngine(
                  tx -> {
                    var found =
                        one(
                            tx,
                            """
                            SELECT array_agg(id)::text FROM leasehold.lease
                            WHERE locked_until < now()\
                            """);
                    var taken =
                        one(
                            tx,
                            "SELECT explore.rescue_without_a_second_look(?::uuid[])",
                            found.equals("null") ? "{}" : found);
                    return taken.equals("0") ? "nothing" : "taken";
                  }));

  /** Ends the job, without a check of who has its lease. */
  static final Operation COMPLETE =
      engine(
          "complete",
          (transactions, job) ->
              transactions.asEngine(
                  tx ->
                      one(
                                  tx,
                                  "SELECT explore.end_without_a_token(?, ?)",
                                  job.id().value(),
                                  job.token())
                              .equals("true")
                          ? Operation.WRITTEN
                          : Operation.REFUSED));

  /** Looks at each state once. */
  static final Operation CANCEL =
      tenant(
          "cancel",
          (transactions, job) ->
              transactions.asTenant(
                  CALLER,
                  tx -> one(tx.dsl(), "SELECT explore.cancel_with_one_look(?)", job.id().value())));

  /** Drops what was over at a look, whatever has become of it. */
  static final Operation DROP =
      engine(
              "drop",
              (transactions, _) ->
                  transactions.asEngine(
                      tx ->
                          one(tx, "SELECT explore.is_over()").equals("true")
                              ? one(tx, "SELECT explore.drop_without_a_second_look()")
                              : "KEPT"))
          .thatGivesUp();

  private Broken() {}

  private static String one(DSLContext tx, String sql, Object... values) {
    return String.valueOf(tx.fetchValue(sql, values));
  }
}
