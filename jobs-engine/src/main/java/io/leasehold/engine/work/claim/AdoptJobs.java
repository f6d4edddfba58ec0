package io.leasehold.engine.work.claim;

import static io.leasehold.db.schema.Tables.ADOPT_JOBS;

import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.engine.kernel.ClaimedJob.Begun;
import java.time.Duration;
import java.util.List;
import org.jooq.DSLContext;

/**
 * Takes over leases that have no worker. The rows stay in {@code lease}, with the same attempt and
 * a new token. Rows that another statement has locked are skipped.
 */
final class AdoptJobs {

  private static final double MILLIS = 1e3;

  private AdoptJobs() {}

  /** Adopts up to {@code limit} jobs, the longest waiting first. */
  static List<ClaimedJob> adopt(DSLContext tx, Claimant claimant, int limit) {
    var adopted =
        ADOPT_JOBS.call(
            claimant.queue(),
            limit,
            claimant.worker().value(),
            Math.toIntExact(claimant.lease().toMillis()),
            ClaimJobs.ids(claimant.adopting()));
    var stored = new StoredJob(adopted);
    return tx.selectFrom(adopted)
        .fetch(
            row ->
                stored
                    .read(row)
                    .adopted(begun(row.get(adopted.FIRST_TOKEN), row.get(adopted.RAN_BEFORE))));
  }

  // Negative if the database's clock was set back; the elapsed time then counts as zero.
  private static Begun begun(long token, double seconds) {
    return new Begun(token, Duration.ofMillis((long) (Math.max(0, seconds) * MILLIS)));
  }
}
