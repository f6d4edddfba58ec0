package io.leasehold.engine.submit;

import static io.leasehold.db.schema.Tables.SUBMIT;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.Submission;
import java.time.Duration;

/** Writes one request without a key into the queue, in the caller's transaction. */
final class SubmitJob {

  private SubmitJob() {}

  static Submission submit(ScopedTransaction tx, JobRequest<?, ?> request) {
    var type = request.type();
    var caller = tx.caller();
    var submitted =
        SUBMIT.call(
            type.handler().value(),
            type.queue(),
            (short) request.priority(),
            (short) type.retry().maxAttempts(),
            type.timeout().map(Duration::toMillis).orElse(null),
            request.delay().toMillis(),
            caller.principal(),
            Requests.correlation(caller),
            Requests.input(request),
            Requests.metadata(request));
    return tx.dsl()
        .select(submitted.ID)
        .from(submitted)
        .fetchSingle(row -> new Submission(row.value1(), false));
  }
}
