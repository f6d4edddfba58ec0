package io.leasehold.engine.time.delayed;

import static io.leasehold.db.schema.Tables.READY;
import static io.leasehold.db.schema.Tables.SCHEDULED;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.deleteFrom;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;

import io.leasehold.db.schema.tables.Scheduled;
import io.leasehold.jobs.JobId;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Records;
import org.jooq.impl.SQLDataType;

/**
 * Moves jobs whose time has come from {@code scheduled} to {@code ready}, in one statement. Locked
 * rows are skipped: another transaction is moving, retrying or withdrawing them. Uses {@code
 * scheduled_when_due}.
 */
public final class MoveDueJobs {

  private static final Scheduled DUE = SCHEDULED.as("due");

  private MoveDueJobs() {}

  /**
   * A job that was moved.
   *
   * @param queue the queue in which the job is now ready
   */
  public record Moved(JobId id, String queue) {}

  /** Moves up to {@code limit} jobs, and returns them. */
  public static List<Moved> move(DSLContext tx, int limit) {
    var picked =
        name("picked")
            .asMaterialized(
                select(SCHEDULED.rowid().as("place"))
                    .from(SCHEDULED)
                    .where(SCHEDULED.AVAILABLE_AT.le(currentOffsetDateTime()))
                    .orderBy(SCHEDULED.AVAILABLE_AT, SCHEDULED.ID)
                    .limit(limit)
                    .forUpdate()
                    .skipLocked());
    var due =
        name("due")
            .as(
                deleteFrom(SCHEDULED)
                    .using(table(name("picked")))
                    .where(SCHEDULED.rowid().eq(field(name("picked", "place"), SQLDataType.ROWID)))
                    .returning(SCHEDULED.fields()));
    return tx.with(picked)
        .with(due)
        .with(
            name("moved")
                .as(
                    insertInto(
                            READY,
                            READY.TENANT_ID,
                            READY.ID,
                            READY.QUEUE,
                            READY.PRIORITY,
                            READY.ATTEMPTS,
                            READY.AVAILABLE_AT,
                            READY.STARTED_AT)
                        .select(
                            select(
                                    DUE.TENANT_ID,
                                    DUE.ID,
                                    DUE.QUEUE,
                                    DUE.PRIORITY,
                                    DUE.ATTEMPTS,
                                    DUE.AVAILABLE_AT,
                                    DUE.STARTED_AT)
                                .from(name("due")))
                        .returning(READY.ID)))
        .select(DUE.ID, DUE.QUEUE)
        .from(name("due"))
        .fetch(Records.mapping(Moved::new));
  }
}
