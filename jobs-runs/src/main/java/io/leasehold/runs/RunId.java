package io.leasehold.runs;

import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Names a run permanently: a worker that continues an attempt can derive the name of its run.
 *
 * @param tenant the tenant of the job
 * @param job the job
 * @param attempt the number of the attempt
 */
public record RunId(TenantId tenant, JobId job, int attempt) {

  private static final String UUID = "([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})";
  private static final Pattern NAME = Pattern.compile(UUID + "_" + UUID + "_([1-9][0-9]{0,8})");

  /** Returns the id of the run of a handler's current attempt. */
  public static RunId of(JobContext job) {
    return new RunId(job.caller().tenant(), job.id(), job.attempt());
  }

  /** Parses the result of {@link #name}; empty if the text is something else. */
  public static Optional<RunId> parse(String name) {
    var match = NAME.matcher(name);
    return match.matches()
        ? Optional.of(
            new RunId(
                TenantId.of(match.group(1)),
                JobId.of(match.group(2)),
                Integer.parseInt(match.group(3))))
        : Optional.empty();
  }

  /** The mark of the run's folder, process and container: letters, digits, hyphens, underscores. */
  public String name() {
    return "%s_%s_%d".formatted(tenant, job, attempt);
  }

  /**
   * Whether this run is of the same job as {@code other}, and of the same attempt or a later one.
   */
  boolean follows(RunId other) {
    return tenant.equals(other.tenant) && job.equals(other.job) && other.attempt <= attempt;
  }

  @Override
  public String toString() {
    return name();
  }
}
