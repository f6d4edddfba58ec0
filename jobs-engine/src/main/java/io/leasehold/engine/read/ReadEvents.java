package io.leasehold.engine.read;

import static io.leasehold.db.schema.Tables.JOB_EVENT_V;
import static io.leasehold.db.schema.Tables.JOB_STATUS_V;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.row;
import static org.jooq.impl.DSL.select;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.schema.tables.JobEventV;
import io.leasehold.jobs.EventCursor;
import io.leasehold.jobs.EventPage;
import io.leasehold.jobs.JobEvent;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import java.util.List;
import java.util.Optional;
import org.jooq.Record;
import org.jooq.Result;

/**
 * Reads a page of a job's history, and whether the job is over, in one statement and so at one
 * moment. Uses {@code event_has_its_place}, from the cursor on.
 */
public final class ReadEvents {

  private static final JobEventV PAGE = JOB_EVENT_V.as("page");

  private ReadEvents() {}

  /** The events behind the cursor, if the caller may read the job. */
  public static Optional<EventPage> read(
      ScopedTransaction tx, JobId id, EventCursor after, int limit) {
    // One more than the page takes, to know whether it is the last.
    var page =
        select(
                JOB_EVENT_V.TOKEN,
                JOB_EVENT_V.N,
                JOB_EVENT_V.AT,
                JOB_EVENT_V.KIND,
                JOB_EVENT_V.ATTEMPT,
                JOB_EVENT_V.BODY)
            .from(JOB_EVENT_V)
            .where(
                JOB_EVENT_V.JOB_ID.eq(id),
                row(JOB_EVENT_V.TOKEN, JOB_EVENT_V.N).gt(after.token(), after.n()))
            .orderBy(JOB_EVENT_V.TOKEN, JOB_EVENT_V.N)
            .limit(limit + 1);
    var rows =
        tx.dsl()
            .select(
                JOB_STATUS_V.STATUS,
                PAGE.TOKEN,
                PAGE.N,
                PAGE.AT,
                PAGE.KIND,
                PAGE.ATTEMPT,
                PAGE.BODY)
            .from(JOB_STATUS_V)
            .leftJoin(page.asTable("page"))
            .on(noCondition())
            .where(JOB_STATUS_V.JOB_ID.eq(id))
            .orderBy(PAGE.TOKEN, PAGE.N)
            .fetch();
    return rows.isEmpty() ? Optional.empty() : Optional.of(page(rows, after, limit));
  }

  private static EventPage page(Result<? extends Record> rows, EventCursor after, int limit) {
    var isFinal = JobStatus.of(rows.getFirst().get(JOB_STATUS_V.STATUS)).isFinal();
    List<JobEvent> events =
        rows.stream()
            .filter(row -> row.get(PAGE.TOKEN) != null) // The job alone: nothing is behind.
            .limit(limit)
            .map(ReadEvents::event)
            .toList();
    var next = events.isEmpty() ? after : events.getLast().cursor();
    return new EventPage(events, next, isFinal && rows.size() <= limit);
  }

  private static JobEvent event(Record row) {
    return new JobEvent(
        new EventCursor(row.get(PAGE.TOKEN), row.get(PAGE.N)),
        row.get(PAGE.AT).toInstant(),
        row.get(PAGE.KIND),
        row.get(PAGE.ATTEMPT),
        row.get(PAGE.BODY).data());
  }
}
