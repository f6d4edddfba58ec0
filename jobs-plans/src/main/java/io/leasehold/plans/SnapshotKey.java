package io.leasehold.plans;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import java.util.regex.Pattern;

/**
 * Names a snapshot in a {@link StateStore}.
 *
 * @param tenant whose
 * @param job of which job
 * @param output the key of the output of the task after which it was taken: small letters, digits
 *     and {@code _ . -}
 */
public record SnapshotKey(TenantId tenant, JobId job, String output) {

  private static final Pattern OUTPUT = Pattern.compile("[a-z0-9][a-z0-9_.-]{0,199}");

  /**
   * Checks the output's key: it becomes the name of a file.
   *
   * @throws IllegalArgumentException if it is none
   */
  public SnapshotKey {
    if (!OUTPUT.matcher(output).matches()) {
      throw new IllegalArgumentException(
          "output must be 1 to 200 small letters, digits, dots, underscores and hyphens, not "
              + output);
    }
  }
}
