package io.leasehold.engine.read;

import static io.leasehold.db.schema.Tables.JOB_PLACE_V;
import static io.leasehold.db.schema.Tables.JOB_STATUS_V;
import static io.leasehold.db.schema.Tables.READABLE;
import static java.util.Objects.requireNonNull;
import static org.jooq.impl.DSL.and;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;

import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.TenantId;
import java.util.Optional;
import java.util.function.Function;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Record2;
import org.jooq.Select;
import org.jooq.Table;

/**
 * The part of a statement that picks the jobs of a page: by an index that has them in the order of
 * their ids, so that no more of them are read than the page takes.
 *
 * <p>Those with a correlation id are found by {@code job_by_correlation}, those with a status by
 * their place, all others by the key of {@code job}. What no index knows is asked job by job.
 *
 * <p>How many, and the status, are written into the statement: if they were bound to it, the plan
 * that PostgreSQL keeps for all values would be made for a tenth of all jobs.
 */
final class PickJobs {

  private final JobFilter filter;
  private final int most;

  PickJobs(JobFilter filter, int most) {
    this.filter = filter;
    this.most = most;
  }

  /** The newest of the only tenant that may be read, and that tenant. */
  Select<Record2<TenantId, JobId>> ofOneTenant() {
    return newest(_ -> noCondition());
  }

  /** The newest of several tenants: no index has theirs in one order, so each is asked for its. */
  Select<Record2<TenantId, JobId>> ofSeveralTenants() {
    var readable = READABLE.call();
    var its = lateral(newest(tenant -> tenant.eq(readable.TENANT))).as("its");
    return select(tenant(its), id(its))
        .from(readable)
        .crossJoin(its)
        .orderBy(id(its).desc())
        .limit(inline(most));
  }

  private Select<Record2<TenantId, JobId>> newest(Function<Field<TenantId>, Condition> whose) {
    var found = found().asTable("found");
    return select(tenant(found), id(found))
        .from(rest().<Table<?>>map(rest -> asking(found, rest)).orElse(found))
        .where(whose.apply(tenant(found)))
        .orderBy(id(found).desc())
        .limit(inline(most));
  }

  private Select<Record2<TenantId, JobId>> found() {
    return placed()
        .map(
            status ->
                select(JOB_PLACE_V.TENANT_ID, JOB_PLACE_V.JOB_ID)
                    .from(JOB_PLACE_V)
                    .where(JOB_PLACE_V.STATUS.eq(inline(status.word())), made(JOB_PLACE_V.JOB_ID)))
        .orElseGet(
            () ->
                select(JOB_STATUS_V.TENANT_ID, JOB_STATUS_V.JOB_ID)
                    .from(JOB_STATUS_V)
                    .where(asked(), made(JOB_STATUS_V.JOB_ID)));
  }

  /** The status by which jobs are found, if that is how. */
  private Optional<JobStatus> placed() {
    return filter.correlationId().isEmpty() ? filter.status() : Optional.empty();
  }

  /** What was not regarded when they were found. */
  private Optional<Condition> rest() {
    if (placed().isEmpty()) {
      return filter.status().map(status -> JOB_STATUS_V.STATUS.eq(status.word()));
    }
    return filter.handler().isPresent() || filter.queue().isPresent()
        ? Optional.of(asked())
        : Optional.empty();
  }

  // The limit keeps PostgreSQL from joining all jobs before it looks for the newest.
  private static Table<?> asking(Table<?> found, Condition rest) {
    var one =
        selectOne()
            .from(JOB_STATUS_V)
            .where(
                JOB_STATUS_V.TENANT_ID.eq(tenant(found)), JOB_STATUS_V.JOB_ID.eq(id(found)), rest)
            .limit(inline(1));
    return found.crossJoin(lateral(one).as("fits"));
  }

  /** As they were submitted. */
  private Condition asked() {
    return and(
        filter.handler().map(id -> JOB_STATUS_V.HANDLER_ID.eq(id.value())).orElse(noCondition()),
        filter.queue().map(JOB_STATUS_V.QUEUE::eq).orElse(noCondition()),
        filter.correlationId().map(JOB_STATUS_V.CORRELATION_ID::eq).orElse(noCondition()));
  }

  /** When they were submitted: an id tells. */
  private Condition made(Field<JobId> id) {
    return and(
        filter.after().map(id::lt).orElse(noCondition()),
        filter.createdAfter().map(FirstId::at).map(id::ge).orElse(noCondition()),
        filter.createdBefore().map(FirstId::at).map(id::lt).orElse(noCondition()));
  }

  static Field<TenantId> tenant(Table<?> table) {
    return requireNonNull(table.field(JOB_STATUS_V.TENANT_ID));
  }

  static Field<JobId> id(Table<?> table) {
    return requireNonNull(table.field(JOB_STATUS_V.JOB_ID));
  }
}
