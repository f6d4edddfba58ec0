package io.leasehold.downloads.http;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Pattern;

/** What tells versions of a file apart, as RFC 9110 has it. */
final class Validators {

  /** A file that changed in the second of the answer may change once more in that second. */
  private static final Duration SETTLED = Duration.ofMinutes(1);

  /** It is sent back in a header, maybe to another host: nothing but what a header may have. */
  private static final Pattern SENDABLE = Pattern.compile("[ -~]{1,1000}");

  private Validators() {}

  /**
   * The tag, if it is a strong one; else the time of the last change, if that is long enough ago.
   */
  static Optional<String> strongOf(Head head) {
    return head.header("etag")
        .filter(tag -> tag.startsWith("\""))
        .or(() -> head.header("last-modified").filter(_ -> isSettled(head)))
        .filter(its -> SENDABLE.matcher(its).matches());
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
