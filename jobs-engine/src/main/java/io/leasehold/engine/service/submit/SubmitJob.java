package io.leasehold.engine.service.submit;

import io.leasehold.db.PlatformCall;
import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.Submission;
import java.time.Duration;
import java.util.UUID;
import org.jooq.impl.SQLDataType;

/** Writes one request without a key to the queue, in the caller's transaction. */
final class SubmitJob {

  private static final PlatformCall<UUID> SUBMIT =
      PlatformCall.of(
              "submit",
              SQLDataType.UUID,
              SQLDataType.VARCHAR, // handler
              SQLDataType.VARCHAR, // queue
              SQLDataType.SMALLINT, // priority
              SQLDataType.SMALLINT, // max_attempts
              SQLDataType.BIGINT, // time_limit_ms
              SQLDataType.BIGINT, // delay_ms
              SQLDataType.VARCHAR, // principal
              SQLDataType.VARCHAR, // correlation_id
              SQLDataType.JSON, // input
              SQLDataType.JSON) // metadata
          .provenBy("submit_as");

  private SubmitJob() {}

  static Submission submit(ScopedTransaction tx, JobRequest<?, ?> request) {
    var type = request.type();
    var caller = tx.caller();
    var id =
        tx.call(
            SUBMIT,
            type.handler().value(),
            type.queue(),
            (short) request.priority(),
            (short) request.maxAttempts(),
            request.timeout().map(Duration::toMillis).orElse(null),
            request.delay().toMillis(),
            caller.principal(),
            Requests.correlation(caller),
            Requests.input(request),
            Requests.metadata(request));
    return new Submission(new JobId(id), false);
  }
}
