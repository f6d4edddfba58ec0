package io.leasehold.downloads;

import io.leasehold.downloads.http.Target;
import io.leasehold.jobs.JobOutput;
import java.net.URI;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A file to be downloaded. What it has to be, the kind of job checks when it is submitted.
 *
 * @param url of HTTP or HTTPS, without a user. Its path and query may be secret: nothing of them is
 *     told
 * @param name of the job's output that it becomes
 * @param mediaType of that
 * @param sha256 what its digest has to be, in 64 hexadecimal digits, if that is known
 */
public record Download(URI url, String name, String mediaType, Optional<String> sha256) {

  private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");
  private static final String BYTES = "application/octet-stream";

  /** A file of which nothing more is known. */
  public static Download of(URI url, String name) {
    return new Download(url, name, BYTES, Optional.empty());
  }

  /** What kind of file it is. */
  public Download mediaType(String mediaType) {
    return new Download(url, name, mediaType, sha256);
  }

  /** What its digest has to be. */
  public Download sha256(String sha256) {
    return new Download(url, name, mediaType, Optional.of(sha256));
  }

  void requireValid() {
    target();
    JobOutput.requireValid(name, mediaType);
    if (sha256.filter(its -> !DIGEST.matcher(its).matches()).isPresent()) {
      throw new IllegalArgumentException("sha256 must be 64 digits of 0-9 and a-f");
    }
  }

  Target target() {
    return new Target(url);
  }

  /** Without the path and the query. */
  @Override
  public String toString() {
    return "Download[%s from %s]".formatted(name, url.getHost());
  }
}
