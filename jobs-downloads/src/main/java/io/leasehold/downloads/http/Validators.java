package io.leasehold.downloads.http;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds the validators that distinguish versions of a file, as defined in RFC 9110. */
final class Validators {

  /** A file that changed in the second of the response may change again in that second. */
  private static final Duration SETTLED = Duration.ofMinutes(1);

  /**
   * The validator is sent back in a header, perhaps to another host, so it may contain only what a
   * header may.
   */
  private static final Pattern SENDABLE = Pattern.compile("[ -~]{1,1000}");

  private Validators() {}

  /**
   * Returns the entity tag, if it is strong; otherwise the time of the last change, if that is long
   * enough ago.
   */
  static Optional<String> strongOf(Head head) {
    return head.header("etag")
        .filter(tag -> tag.startsWith("\""))
        .or(() -> head.header("last-modified").filter(_ -> isSettled(head)))
        .filter(validator -> SENDABLE.matcher(validator).matches());
  }

  private static boolean isSettled(Head head) {
    var changed = time(head, "last-modified");
    var now = time(head, "date");
    return changed.isPresent()
        && now.isPresent()
        && changed.get().plus(SETTLED).isBefore(now.get());
  }

  private static Optional<ZonedDateTime> time(Head head, String header) {
    try {
      return head.header(header)
          .map(text -> ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
