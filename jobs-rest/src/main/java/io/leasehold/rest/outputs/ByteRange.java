package io.leasehold.rest.outputs;

import io.leasehold.rest.problem.Problem;
import io.leasehold.rest.problem.RequestRefusal;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A part of a file that a client asks for, as defined in RFC 9110. Jetty's parser does not tell an
 * invalid header from a part that the file does not have.
 *
 * @param first the offset of the first byte
 * @param last the offset of the last byte, inclusive
 */
record ByteRange(long first, long last) {

  private static final Pattern RANGE = Pattern.compile("bytes=([0-9]{0,18})-([0-9]{0,18})");

  /**
   * Parses the header {@code Range}. Invalid headers and multiple ranges are ignored: the whole
   * file is sent.
   *
   * @throws RequestRefusal if the file has no such part
   */
  static Optional<ByteRange> in(List<String> headers, long size) {
    if (headers.size() != 1) {
      return Optional.empty();
    }
    var range = RANGE.matcher(headers.getFirst());
    if (!range.matches() || (range.group(1).isEmpty() && range.group(2).isEmpty())) {
      return Optional.empty();
    }
    return range.group(1).isEmpty()
        ? Optional.of(lastOf(size, Long.parseLong(range.group(2))))
        : between(Long.parseLong(range.group(1)), range.group(2), size);
  }

  private static ByteRange lastOf(long size, long count) {
    if (count == 0 || size == 0) {
      throw RequestRefusal.of(Problem.RANGE_NOT_SATISFIABLE);
    }
    return new ByteRange(Math.max(0, size - count), size - 1);
  }

  private static Optional<ByteRange> between(long first, String end, long size) {
    var last = end.isEmpty() ? Long.MAX_VALUE : Long.parseLong(end);
    if (last < first) {
      return Optional.empty();
    }
    if (first >= size) {
      throw RequestRefusal.of(Problem.RANGE_NOT_SATISFIABLE);
    }
    return Optional.of(new ByteRange(first, Math.min(last, size - 1)));
  }

  long length() {
    return last - first + 1;
  }

  /** Formats the header {@code Content-Range}. */
  String of(long size) {
    return "bytes %d-%d/%d".formatted(first, last, size);
  }
}
