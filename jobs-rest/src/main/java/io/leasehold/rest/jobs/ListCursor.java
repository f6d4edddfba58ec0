package io.leasehold.rest.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobId;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32;

/**
 * The position in a list: after a job, for the same filter. Opaque to clients. It contains no
 * secret: the caller's tenant alone decides what is listed.
 */
final class ListCursor {

  static final String RULE = "cursor must be the next of a page with the same filters";

  private static final int BYTES = 2 * Long.BYTES + Integer.BYTES;

  private ListCursor() {}

  static String write(JobId last, JobFilter filter) {
    var bytes = ByteBuffer.allocate(BYTES);
    bytes.putLong(last.value().getMostSignificantBits());
    bytes.putLong(last.value().getLeastSignificantBits());
    bytes.putInt(check(last, filter));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
  }

  /**
   * Parses a cursor.
   *
   * @throws IllegalArgumentException if it is invalid, or for another filter
   */
  static JobId read(String cursor, JobFilter filter) {
    var bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(cursor));
    if (bytes.remaining() != BYTES) {
      throw new IllegalArgumentException(RULE);
    }
    var last = new JobId(new UUID(bytes.getLong(), bytes.getLong()));
    if (bytes.getInt() != check(last, filter)) {
      throw new IllegalArgumentException(RULE);
    }
    return last;
  }

  private static int check(JobId last, JobFilter filter) {
    var words =
        List.of(
            last,
            filter.handler(),
            filter.queue(),
            filter.status(),
            filter.correlationId(),
            filter.createdAfter(),
            filter.createdBefore());
    var check = new CRC32();
    check.update(words.toString().getBytes(UTF_8));
    return (int) check.getValue();
  }
}
