package io.leasehold.jobs.outputs;

import java.time.Instant;
import java.util.regex.Pattern;

/**
 * A file that a job produced.
 *
 * @param name the name, unique in the job: 1 to 128 letters, digits and {@code _ . -}, the first a
 *     letter or digit
 * @param mediaType the media type, as stated by the handler
 * @param size the size in bytes
 * @param sha256 the SHA-256 digest of the bytes: 64 hexadecimal digits
 * @param keptAt when the file was stored, by the database's clock
 */
public record JobOutput(String name, String mediaType, long size, String sha256, Instant keptAt) {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,127}");
  private static final Pattern MEDIA_TYPE =
      Pattern.compile("[A-Za-z0-9.+-]{1,63}/[A-Za-z0-9.+-]{1,63}(; ?charset=[A-Za-z0-9-]{1,32})?");

  /** Returns whether a text is a valid file name. */
  public static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  /**
   * Returns if the name and the media type are valid for a file.
   *
   * @throws IllegalArgumentException if one is invalid
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
