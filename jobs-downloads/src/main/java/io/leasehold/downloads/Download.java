package io.leasehold.downloads;

import io.leasehold.downloads.http.Target;
import io.leasehold.jobs.outputs.JobOutput;
import java.net.URI;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A file to download. The job's type checks it when the job is submitted.
 *
 * @param url an HTTP or HTTPS URL without user info. Its path and query may be secret, so they are
 *     never reported
 * @param name the name of the job output that the file becomes
 * @param mediaType the media type of the output
 * @param sha256 the expected digest in 64 hexadecimal digits, if it is known
 */
public record Download(URI url, String name, String mediaType, Optional<String> sha256) {

  private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");
  private static final String BYTES = "application/octet-stream";

  /** A file of which only the URL is known. */
  public static Download of(URI url, String name) {
    return new Download(url, name, BYTES, Optional.empty());
  }

  /** Sets the media type. */
  public Download mediaType(String mediaType) {
    return new Download(url, name, mediaType, sha256);
  }

  /** Sets the expected digest. */
  public Download sha256(String sha256) {
    return new Download(url, name, mediaType, Optional.of(sha256));
  }

  void requireValid() {
    target();
    JobOutput.requireValid(name, mediaType);
    if (sha256.filter(digest -> !DIGEST.matcher(digest).matches()).isPresent()) {
      throw new IllegalArgumentException("sha256 must be 64 digits of 0-9 and a-f");
    }
  }

  Target target() {
    return new Target(url);
  }

  /** Omits the path and the query. */
  @Override
  public String toString() {
    return "Download[%s from %s]".formatted(name, url.getHost());
  }
}
