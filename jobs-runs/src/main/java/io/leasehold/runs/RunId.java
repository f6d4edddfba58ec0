package io.leasehold.runs;

import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Names a run for good: whoever goes on with an attempt knows what its run is called, without
 * having been told.
 *
 * @param tenant whose job it is
 * @param job which job
 * @param attempt the number of the attempt
 */
public record RunId(TenantId tenant, JobId job, int attempt) {

  private static final String UUID = "([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})";
  private static final Pattern NAME = Pattern.compile(UUID + "_" + UUID + "_([1-9][0-9]{0,8})");

  /** The run of the attempt that a handler works on. */
  public static RunId of(JobContext job) {
    return new RunId(job.caller().tenant(), job.id(), job.attempt());
  }

  /** Reads what {@link #name} wrote; nothing if it is something else. */
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

  /** As a folder, a process and a container are marked: letters, digits, hyphens, underscores. */
  public String name() {
    return "%s_%s_%d".formatted(tenant, job, attempt);
  }

  /** Whether it is of the same job, and of an attempt that this one follows. */
  boolean follows(RunId other) {
    return tenant.equals(other.tenant) && job.equals(other.job) && other.attempt <= attempt;
  }

  @Override
  public String toString() {
    return name();
  }
}
