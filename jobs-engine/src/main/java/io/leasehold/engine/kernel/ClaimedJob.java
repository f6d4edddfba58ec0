package io.leasehold.engine.kernel;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import java.time.Duration;
import java.util.Optional;
import org.jooq.JSON;
import org.jspecify.annotations.Nullable;

/**
 * A job that this worker has the lease of.
 *
 * @param tenant whose it is
 * @param id its id
 * @param token what every write for it has to show
 * @param attempt which attempt this is, 1 for the first
 * @param maxAttempts how many there are at most
 * @param handlerId what handles it, as it was submitted
 * @param priority of its lane
 * @param input what the handler is given
 * @param metadata what the request gave along
 * @param timeLimit how long the attempt may take
 * @param begun how an earlier worker began the attempt; nothing if this one did
 * @param principal who submitted it
 * @param correlationId of the submission
 * @param problem why it cannot be run by any worker, in words for its owner; nothing if it can
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

  /** A job that can be run. */
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
   * The beginning of an attempt that was adopted.
   *
   * @param token under which it began
   * @param ran how long it had run by the adoption
   */
  public record Begun(long token, Duration ran) {}

  /** The same, adopted. */
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

  /** How long the attempt had run when this worker adopted it; nothing if this worker began it. */
  public Optional<Duration> ranBefore() {
    return begun.map(Begun::ran);
  }

  /** Under which token the attempt began. */
  public long firstToken() {
    return begun.map(Begun::token).orElse(token);
  }

  /** As whom its handler runs: whoever submitted it. */
  public SecurityContext caller() {
    return SecurityContext.of(principal, tenant).correlationId(correlationId.orElse("")).build();
  }
}
