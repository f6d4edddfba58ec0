package io.leasehold.engine.service.history;

import static io.leasehold.db.schema.Tables.JOB_STATUS_V;
import static io.leasehold.db.schema.Tables.LIST_EVENTS;
import static org.jooq.impl.DSL.trueCondition;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.history.EventCursor;
import io.leasehold.jobs.history.EventPage;
import io.leasehold.jobs.history.JobEvent;
import java.util.List;
import java.util.Optional;
import org.jooq.Record;
import org.jooq.Result;

/**
 * Reads a page of a job's history and whether the job has finished. Both come from one statement of
 * {@code leasehold.list_events}, and so from the same moment.
 */
public final class ReadEvents {

  private ReadEvents() {}

  /** Returns the events after the cursor, if the caller may read the job. */
  public static Optional<EventPage> read(
      ScopedTransaction tx, JobId id, EventCursor after, int limit) {
    // One row more than the page holds, to know whether the page is the last.
    var page = LIST_EVENTS.call(id.value(), after.token(), after.n(), limit + 1);
    var rows =
        tx.dsl()
            .select(JOB_STATUS_V.STATUS)
            .select(page.fields())
            .from(JOB_STATUS_V)
            .leftJoin(page)
            .on(trueCondition())
            .where(JOB_STATUS_V.JOB_ID.eq(id))
            .orderBy(page.TOKEN, page.NUMBER)
            .fetch();
    return rows.isEmpty() ? Optional.empty() : Optional.of(page(rows, after, limit));
  }

  private static EventPage page(Result<? extends Record> rows, EventCursor after, int limit) {
    var isFinal = JobStatus.of(rows.getFirst().get(JOB_STATUS_V.STATUS)).isFinal();
    List<JobEvent> events =
        rows.stream()
            .filter(row -> row.get(LIST_EVENTS.TOKEN) != null) // No event after the cursor.
            .limit(limit)
            .map(ReadEvents::event)
            .toList();
    var next = events.isEmpty() ? after : events.getLast().cursor();
    return new EventPage(events, next, isFinal && rows.size() <= limit);
  }

  private static JobEvent event(Record row) {
    return new JobEvent(
        new EventCursor(row.get(LIST_EVENTS.TOKEN), row.get(LIST_EVENTS.NUMBER)),
        row.get(LIST_EVENTS.AT).toInstant(),
        row.get(LIST_EVENTS.KIND),
        row.get(LIST_EVENTS.ATTEMPT),
        row.get(LIST_EVENTS.BODY).data());
  }
}
