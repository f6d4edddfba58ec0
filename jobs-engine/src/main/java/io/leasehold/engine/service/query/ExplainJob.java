package io.leasehold.engine.service.query;

import static io.leasehold.db.schema.Tables.EXPLAIN;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.history.Explanation;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.Optional;

/**
 * Explains why a job does not run. The function reads everything that needs other tenants' rows.
 */
public final class ExplainJob {

  private ExplainJob() {}

  /** Returns the explanation, if the caller may read the job. */
  public static Optional<Explanation> explain(ScopedTransaction tx, JobId id) {
    var explanation = EXPLAIN.call(id);
    return tx.dsl()
        .select(
            explanation.STATUS,
            explanation.REASON,
            explanation.QUEUE,
            explanation.UNTIL,
            explanation.OWN_BEFORE)
        .from(explanation)
        .fetchOptional(
            row ->
                new Explanation(
                    id,
                    JobStatus.of(row.value1()),
                    Explanation.Reason.valueOf(row.value2().toUpperCase(Locale.ROOT)),
                    row.value3(),
                    Optional.ofNullable(row.value4()).map(OffsetDateTime::toInstant),
                    row.value5()));
  }
}
