package io.leasehold.engine.inmemory.state;

import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.engine.service.submit.Requests;
import io.leasehold.engine.work.handlers.RegisteredHandler;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import java.time.Duration;
import java.util.Optional;
import org.jooq.JSON;
import org.jspecify.annotations.Nullable;

/**
 * A submitted job without its input.
 *
 * @param id the id of the job
 * @param tenant the tenant that owns the job
 * @param principal the principal who submitted it
 * @param correlationId the correlation id of the submission
 * @param handler the handler that runs it
 * @param priority the priority among the tenant's jobs
 * @param maxAttempts the maximum number of attempts
 * @param timeout how long an attempt may take
 * @param metadata the metadata of the request
 * @param key the key of the request
 */
public record AskedJob(
    JobId id,
    TenantId tenant,
    String principal,
    Optional<String> correlationId,
    RegisteredHandler<?, ?> handler,
    int priority,
    int maxAttempts,
    Optional<Duration> timeout,
    @Nullable JSON metadata,
    Optional<String> key) {

  private static final JSON NOWHERE = JSON.json("null");

  public static AskedJob of(
      JobId id, SecurityContext caller, RegisteredHandler<?, ?> handler, JobRequest<?, ?> request) {
    return new AskedJob(
        id,
        caller.tenant(),
        caller.principal(),
        Optional.of(caller.correlationId()).filter(correlation -> !correlation.isEmpty()),
        handler,
        request.priority(),
        request.maxAttempts(),
        request.timeout(),
        Requests.metadata(request),
        request.key());
  }

  /**
   * Returns the job as an attempt sees it. The input is separate, since it need not be
   * representable as JSON.
   */
  public ClaimedJob claimed(long token, int attempt) {
    return new ClaimedJob(
        tenant,
        id,
        token,
        attempt,
        maxAttempts,
        handler.type().handler().value(),
        priority,
        NOWHERE,
        metadata,
        timeout,
        Optional.empty(),
        principal,
        correlationId);
  }
}
