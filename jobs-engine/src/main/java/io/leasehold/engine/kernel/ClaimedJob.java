package io.leasehold.engine.kernel;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import java.time.Duration;
import java.util.Optional;
import org.jooq.JSON;
import org.jspecify.annotations.Nullable;

/**
 * A job whose lease this worker holds.
 *
 * @param tenant the tenant that owns the job
 * @param id the id of the job
 * @param token the fencing token that every write for the job must present
 * @param attempt the number of this attempt, 1 for the first
 * @param maxAttempts the maximum number of attempts
 * @param handlerId the handler id, as submitted
 * @param priority the priority of its lane
 * @param input the input of the handler
 * @param metadata the metadata of the request
 * @param timeLimit how long the attempt may take
 * @param begun how an earlier worker began the attempt; empty if this worker began it
 * @param principal the principal who submitted the job
 * @param correlationId the correlation id of the submission
 * @param problem why no worker can run the job, as a description for its owner; empty if it can run
 */
public record ClaimedJob(
    TenantId tenant,
    JobId id,
    long token,
    int attempt,
    int maxAttempts,
    String handlerId,
    int priority,
    JSON input,
    @Nullable JSON metadata,
    Optional<Duration> timeLimit,
    Optional<Begun> begun,
    String principal,
    Optional<String> correlationId,
    Optional<String> problem) {

  /** Creates a job that can run. */
  public ClaimedJob(
      TenantId tenant,
      JobId id,
      long token,
      int attempt,
      int maxAttempts,
      String handlerId,
      int priority,
      JSON input,
      @Nullable JSON metadata,
      Optional<Duration> timeLimit,
      Optional<Begun> begun,
      String principal,
      Optional<String> correlationId) {
    this(
        tenant,
        id,
        token,
        attempt,
        maxAttempts,
        handlerId,
        priority,
        input,
        metadata,
        timeLimit,
        begun,
        principal,
        correlationId,
        Optional.empty());
  }

  /**
   * The beginning of an adopted attempt.
   *
   * @param token the token under which the attempt began
   * @param ran how long it had run when it was adopted
   */
  public record Begun(long token, Duration ran) {}

  /** Returns a copy of this job with an adopted attempt. */
  public ClaimedJob adopted(Begun begun) {
    return new ClaimedJob(
        tenant,
        id,
        token,
        attempt,
        maxAttempts,
        handlerId,
        priority,
        input,
        metadata,
        timeLimit,
        Optional.of(begun),
        principal,
        correlationId,
        problem);
  }

  /**
   * Returns how long the attempt had run when this worker adopted it; empty if this worker began
   * it.
   */
  public Optional<Duration> ranBefore() {
    return begun.map(Begun::ran);
  }

  /** Returns the token under which the attempt began. */
  public long firstToken() {
    return begun.map(Begun::token).orElse(token);
  }

  /** Returns the caller for the handler's run: the principal who submitted the job. */
  public SecurityContext caller() {
    return SecurityContext.of(principal, tenant).correlationId(correlationId.orElse("")).build();
  }
}
