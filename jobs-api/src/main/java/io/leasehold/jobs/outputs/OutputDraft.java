package io.leasehold.jobs.outputs;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobsException;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A file that grows across attempts and becomes a file of the job when it is finished.
 *
 * <p>Later attempts, on any worker, resume from the value that {@link #keep} returns. Store this
 * value in the job's checkpoint, together with the other values that describe how far the work is.
 *
 * {@snippet :
 * try (var draft = job.draft(last.kept())) {
 *   draft.write(bytes, 0, bytes.length);
 *   job.checkpoint(new Last(draft.keep()));
 *   draft.finish("report.csv", "text/csv");
 * }
 * }
 *
 * <p>No attempt writes into the content of another attempt, so a superseded worker cannot change
 * the content from which the next worker continues. Not thread-safe: a draft belongs to one thread.
 */
public interface OutputDraft extends Closeable {

  /** Returns the length in bytes, kept or not. */
  long length();

  /**
   * Appends bytes.
   *
   * @throws JobsException with {@link ErrorCode#TOO_LARGE} if the draft exceeds the maximum size of
   *     a file
   */
  void write(byte[] bytes, int offset, int count) throws IOException;

  /**
   * Makes everything written so far survive a crash of the process or the machine, and returns a
   * reference to it.
   */
  Kept keep() throws IOException;

  /**
   * Discards all bytes and starts over. The bytes that this attempt wrote are removed when the next
   * checkpoint no longer refers to them, so repeated resets take no extra space.
   */
  void reset() throws IOException;

  /**
   * Returns the SHA-256 digest of all bytes: 64 hexadecimal digits. This method reads the whole
   * draft.
   */
  String sha256() throws IOException;

  /**
   * Stores the whole draft as a file of the job, as {@link JobContext#output} does. Nothing can be
   * appended afterwards.
   */
  JobOutput finish(String name, String mediaType) throws IOException;

  /** Closes the draft; kept content stays. Closing again has no effect. */
  @Override
  void close() throws IOException;

  /**
   * The content of a draft at the time it was kept. Store the value, and pass it to {@link
   * JobContext#draft}; do not interpret it.
   *
   * @param parts the parts of the content
   */
  record Kept(List<Part> parts) {

    /** No content, for the first attempt. */
    public static final Kept NOTHING = new Kept(List.of());

    /** Copies the list. */
    public Kept {
      parts = List.copyOf(parts);
    }

    /** Returns the number of kept bytes. */
    public long bytes() {
      return parts.stream().mapToLong(Part::length).sum();
    }
  }

  /**
   * The content that one attempt wrote.
   *
   * @param file the file that contains it
   * @param length the number of valid bytes in the file
   */
  record Part(String file, long length) {

    private static final Pattern FILE = Pattern.compile("draft-[0-9]{1,19}-[0-9]{1,10}");

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the file name or the length is invalid
     */
    public Part {
      if (!FILE.matcher(file).matches() || length < 0) {
        throw new IllegalArgumentException("part must be one that a draft told of");
      }
    }
  }
}
