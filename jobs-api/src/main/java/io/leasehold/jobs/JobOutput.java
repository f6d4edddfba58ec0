package io.leasehold.jobs;

import java.time.Instant;
import java.util.regex.Pattern;

/**
 * A file that a job left.
 *
 * @param name in the job: 1 to 128 letters, digits and {@code _ . -}, the first a letter or digit
 * @param mediaType what its handler says that it is
 * @param size in bytes
 * @param sha256 the digest of its bytes: 64 hexadecimal digits
 * @param keptAt when it was left, by the database's clock
 */
public record JobOutput(String name, String mediaType, long size, String sha256, Instant keptAt) {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,127}");
  private static final Pattern MEDIA_TYPE =
      Pattern.compile("[A-Za-z0-9.+-]{1,63}/[A-Za-z0-9.+-]{1,63}(; ?charset=[A-Za-z0-9-]{1,32})?");

  /** Whether a file can have this name. */
  public static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  /**
   * Returns if a file can be left so.
   *
   * @throws IllegalArgumentException if not
   */
  public static void requireValid(String name, String mediaType) {
    if (!isName(name)) {
      throw new IllegalArgumentException(
          "name must be up to 128 letters, digits, _, . and -, the first a letter or digit");
    }
    if (!MEDIA_TYPE.matcher(mediaType).matches()) {
      throw new IllegalArgumentException(
          "mediaType must be a type and a subtype, as in text/csv or text/csv; charset=utf-8");
    }
  }
}
