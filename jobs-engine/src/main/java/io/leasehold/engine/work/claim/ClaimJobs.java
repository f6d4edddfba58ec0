package io.leasehold.engine.work.claim;

import static io.leasehold.db.schema.Tables.CLAIM_JOBS;

import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.jobs.HandlerId;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.DoubleConsumer;
import org.jooq.DSLContext;

/**
 * Claims waiting jobs: their rows move from {@code ready} to {@code lease}. Rows that other
 * statements have locked are skipped.
 */
final class ClaimJobs {

  private ClaimJobs() {}

  /**
   * Claims up to {@code limit} jobs, and from each lane up to the turn's share.
   *
   * @param waited receives, for each job, how many seconds the job has been claimable
   */
  static List<ClaimedJob> claim(
      DSLContext tx, Claimant claimant, List<Turn> turns, int limit, DoubleConsumer waited) {
    var claimed =
        CLAIM_JOBS.call(
            claimant.queue(),
            turns.stream().map(turn -> turn.lane().tenant().value()).toArray(UUID[]::new),
            turns.stream().map(turn -> turn.lane().priority()).toArray(Short[]::new),
            turns.stream().map(turn -> turn.lane().floor().value()).toArray(UUID[]::new),
            turns.stream().map(Turn::share).toArray(Integer[]::new),
            limit,
            claimant.worker().value(),
            Math.toIntExact(claimant.lease().toMillis()),
            ids(claimant.failing()),
            ids(claimant.adopting()));
    var stored = new StoredJob(claimed);
    return tx.selectFrom(claimed)
        .fetch(
            row -> {
              waited.accept(row.get(claimed.WAITED));
              return stored.read(row);
            });
  }

  static String[] ids(Collection<HandlerId> handlers) {
    return handlers.stream().map(HandlerId::value).toArray(String[]::new);
  }
}
