package io.leasehold.engine.inmemory.direct;

import static io.leasehold.db.schema.Tables.SUBMIT_LEASED;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.engine.service.submit.Requests;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.WhenLost;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** Stores a request as a job whose lease a worker already holds, in the caller's transaction. */
final class SubmitLeased {

  private SubmitLeased() {}

  /**
   * Returns the stored job, or empty if the worker is not registered.
   *
   * @param whenLost the setting of the worker's handler
   * @throws JobsException with {@link ErrorCode#QUEUE_PAUSED}; nothing is stored in that case
   */
  static Optional<LeasedJob> submit(
      ScopedTransaction tx,
      JobRequest<?, ?> request,
      WorkerId worker,
      Duration lease,
      WhenLost whenLost) {
    var type = request.type();
    var caller = tx.caller();
    var leased =
        SUBMIT_LEASED.call(
            type.handler().value(),
            type.queue(),
            (short) request.priority(),
            (short) request.maxAttempts(),
            request.timeout().map(Duration::toMillis).orElse(null),
            caller.principal(),
            Requests.correlation(caller),
            Requests.input(request),
            Requests.metadata(request),
            request.key().orElse(null),
            worker.value(),
            lease.toMillis(),
            whenLost.name().toLowerCase(Locale.ROOT));
    return tx.dsl()
        .select(leased.ID, leased.TOKEN)
        .from(leased)
        .fetchOptional(
            row ->
                new LeasedJob(
                    Optional.ofNullable(row.value1()).orElseThrow(() -> paused(type.queue())),
                    Optional.ofNullable(row.value2())
                        .map(token -> claimed(caller, request, row.value1(), token))));
  }

  private static JobsException paused(String queue) {
    return new JobsException(
        ErrorCode.QUEUE_PAUSED,
        "the queue %s is paused, or the tenant in it: nothing is begun".formatted(queue));
  }

  private static ClaimedJob claimed(
      SecurityContext caller, JobRequest<?, ?> request, JobId id, long token) {
    return new ClaimedJob(
        caller.tenant(),
        id,
        token,
        1,
        request.maxAttempts(),
        request.type().handler().value(),
        request.priority(),
        Requests.input(request),
        Requests.metadata(request),
        request.timeout(),
        Optional.empty(),
        caller.principal(),
        Optional.ofNullable(Requests.correlation(caller)));
  }
}
