package io.leasehold.rest.http;

import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/**
 * Links everything that is done for a request: the client's own trace, or a new one.
 *
 * @param id 32 hexadecimal digits
 */
public record Trace(String id) {

  /** The response header that contains the trace id. */
  public static final String HEADER = "Trace-Id";

  private static final Pattern TRACEPARENT =
      Pattern.compile("00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}");

  /** Returns the trace in the header {@code traceparent}, if there is exactly one such header. */
  public static Trace in(List<String> headers) {
    if (headers.size() == 1) {
      var parent = TRACEPARENT.matcher(headers.getFirst());
      if (parent.matches()) {
        return new Trace(parent.group(1));
      }
    }
    return random();
  }

  /** Creates a new trace. */
  public static Trace random() {
    var bytes = new byte[16];
    ThreadLocalRandom.current().nextBytes(bytes);
    return new Trace(HexFormat.of().formatHex(bytes));
  }
}
