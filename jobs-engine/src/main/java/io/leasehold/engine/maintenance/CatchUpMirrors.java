package io.leasehold.engine.maintenance;

import static io.leasehold.db.schema.Tables.CATCH_UP_MIRRORS;

import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import io.leasehold.engine.metrics.JobMeters;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jooq.DSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Updates mirror records that could not be written together with their jobs, because another
 * transaction had locked them or their table rejected the change. Harmless if several processes do
 * this at once.
 */
public final class CatchUpMirrors {

  private static final Logger log = LoggerFactory.getLogger(CatchUpMirrors.class);

  private static final int AT_ONCE = 500;
  private static final TransactionOptions ONE = TransactionOptions.defaults().asOneStatement();

  /** Temporary obstacles, which are no defect. */
  private static final Set<String> PASSING = Set.of("locked", "moving", "flagged");

  private final Transactions transactions;
  private final JobMeters meters;

  @Inject
  public CatchUpMirrors(Transactions transactions, JobMeters meters) {
    this.transactions = transactions;
    this.meters = meters;
  }

  /**
   * A record that was noted for an update.
   *
   * @param mirror the table of the record
   * @param record the id of the record
   * @param problem what still prevents the update
   * @param tries the number of failed tries
   */
  private record Noted(String mirror, UUID record, Optional<String> problem, int tries) {

    boolean isRefused() {
      return problem.filter(word -> !PASSING.contains(word)).isPresent();
    }

    boolean isLocked() {
      return problem.filter("locked"::equals).isPresent();
    }
  }

  /** Updates all records that are due. */
  public void catchUp() {
    List<Noted> noted;
    do {
      noted = transactions.asEngine(ONE, CatchUpMirrors::some);
      meters.mirrorsLocked((int) noted.stream().filter(Noted::isLocked).count());
      noted.stream().filter(Noted::isRefused).forEach(this::refused);
    } while (noted.size() >= AT_ONCE);
  }

  private static List<Noted> some(DSLContext tx) {
    var noted = CATCH_UP_MIRRORS.call(AT_ONCE);
    return tx.select(noted.MIRROR, noted.RECORD_ID, noted.PROBLEM, noted.TRIES)
        .from(noted)
        .fetch(
            row ->
                new Noted(
                    row.value1(), row.value2(), Optional.ofNullable(row.value3()), row.value4()));
  }

  private void refused(Noted noted) {
    meters.mirrorsRefused(1);
    log.warn(
        "table {} refuses to have record {} mirror its job (SQLSTATE and constraint: {});"
            + " try {} is repeated with a backoff of up to 5 minutes",
        noted.mirror(),
        noted.record(),
        noted.problem().orElseThrow(),
        noted.tries());
  }
}
