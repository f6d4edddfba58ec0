package io.leasehold.plans;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import java.util.regex.Pattern;

/**
 * Names a snapshot in a {@link StateStore}. No two attempts use the same name, so an overtaken
 * attempt that keeps running for a while changes no snapshot of another attempt.
 *
 * @param tenant the tenant of the job
 * @param job the job
 * @param name the key of the output of the task after which it was taken, a dot, and the fence
 *     token of the attempt: lower-case letters, digits and {@code _ . -}
 */
public record SnapshotKey(TenantId tenant, JobId job, String name) {

  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_.-]{0,185}\\.[0-9]{1,18}");

  /**
   * Checks the name, which becomes a file name.
   *
   * @throws IllegalArgumentException if the name is invalid
   */
  public SnapshotKey {
    if (!isName(name)) {
      throw new IllegalArgumentException(
          "name must be 1 to 200 small letters, digits, dots, underscores and hyphens, and end with"
              + " a dot and a number, not "
              + name);
    }
  }

  static SnapshotKey of(TenantId tenant, JobId job, String output, long token) {
    return new SnapshotKey(tenant, job, output + "." + token);
  }

  /** Whether this is a valid snapshot name. Anything else in a store's folder is not a snapshot. */
  public static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  /** The key of the output of the task after which it was taken. */
  public String output() {
    return name.substring(0, name.lastIndexOf('.'));
  }

  /** The fence token of the attempt that took it: greater in each later attempt. */
  public long token() {
    return Long.parseLong(name.substring(name.lastIndexOf('.') + 1));
  }
}
