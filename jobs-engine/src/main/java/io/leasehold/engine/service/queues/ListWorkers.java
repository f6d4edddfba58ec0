package io.leasehold.engine.service.queues;

import static io.leasehold.db.schema.Tables.WORKER;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.field;

import io.leasehold.engine.RegisteredWorker;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jooq.DSLContext;
import org.jooq.types.DayToSecond;

/**
 * Lists workers. Each read computes which workers are stale, since no process may be running the
 * maintenance of the list.
 */
final class ListWorkers {

  private static final int MOST = 10_000;

  private ListWorkers() {}

  static List<RegisteredWorker> list(DSLContext tx, Duration staleAfter) {
    var now = currentOffsetDateTime();
    var silent = WORKER.SEEN_AT.lt(now.sub(DayToSecond.valueOf(staleAfter)));
    var isStale = field(WORKER.STALE.isTrue().or(silent));
    return tx.select(
            WORKER.NAME,
            WORKER.VERSION,
            WORKER.STARTED_AT,
            WORKER.SEEN_AT,
            now,
            isStale,
            WORKER.RUNNING,
            WORKER.CAPACITY,
            WORKER.QUEUES,
            WORKER.SLOTS)
        .from(WORKER)
        .orderBy(WORKER.NAME, WORKER.STARTED_AT, WORKER.ID)
        .limit(MOST)
        .fetch(
            row ->
                new RegisteredWorker(
                    row.get(WORKER.NAME),
                    row.get(WORKER.VERSION),
                    row.get(WORKER.STARTED_AT).toInstant(),
                    row.get(WORKER.SEEN_AT).toInstant(),
                    silentFor(row.get(WORKER.SEEN_AT), row.get(now)),
                    row.get(isStale),
                    row.get(WORKER.RUNNING),
                    row.get(WORKER.CAPACITY),
                    slotsOf(row.get(WORKER.QUEUES), row.get(WORKER.SLOTS))));
  }

  // A heartbeat may have been committed after the reading transaction began.
  private static Duration silentFor(OffsetDateTime seenAt, OffsetDateTime now) {
    var silent = Duration.between(seenAt, now);
    return silent.isNegative() ? Duration.ZERO : silent;
  }

  private static SortedMap<String, Integer> slotsOf(String[] queues, Integer[] slots) {
    var slotsOf = new TreeMap<String, Integer>();
    for (var i = 0; i < Math.min(queues.length, slots.length); i++) {
      slotsOf.put(queues[i], slots[i]);
    }
    return slotsOf;
  }
}
