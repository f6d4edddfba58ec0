package io.leasehold.jobs;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A file that grows over attempts, and is one of the job's once it is finished.
 *
 * <p>What is written is kept for later attempts, of any worker, by what {@link #keep} returns: it
 * belongs into the job's checkpoint, next to whatever else says how far the work is.
 *
 * {@snippet :
 * try (var draft = job.draft(last.kept())) {
 *   draft.write(bytes, 0, bytes.length);
 *   job.checkpoint(new Last(draft.keep()));
 *   draft.finish("report.csv", "text/csv");
 * }
 * }
 *
 * <p>No attempt writes into what another wrote: a worker that was overtaken can change nothing of
 * what the next one goes on from. Belongs to one thread.
 */
public interface OutputDraft extends Closeable {

  /** How many bytes it has, kept or not. */
  long length();

  /**
   * Adds bytes.
   *
   * @throws JobsException with {@link ErrorCode#TOO_LARGE} if it has more than a file may
   */
  void write(byte[] bytes, int offset, int count) throws IOException;

  /** Has all that was written survive the process and its machine, and tells what that is. */
  Kept keep() throws IOException;

  /**
   * Begins anew, without any bytes. What this attempt wrote of it is removed with the next
   * checkpoint that does not have it, so that beginning anew time and again takes no more space.
   */
  void reset() throws IOException;

  /** The digest of all bytes: 64 hexadecimal digits. Reads all of them. */
  String sha256() throws IOException;

  /**
   * Leaves all of it as a file of the job, as {@link JobContext#output} does. Nothing can be added
   * after.
   */
  JobOutput finish(String name, String mediaType) throws IOException;

  /** Writes no more; what was kept stays. Repeated, it does nothing. */
  @Override
  void close() throws IOException;

  /**
   * What a draft was when it was kept. To be stored, and given to {@link JobContext#draft}; nothing
   * else is to be made of it.
   *
   * @param parts that it consists of
   */
  record Kept(List<Part> parts) {

    /** Nothing, for the first attempt. */
    public static final Kept NOTHING = new Kept(List.of());

    /** Copies the list. */
    public Kept {
      parts = List.copyOf(parts);
    }

    /** How many bytes that is. */
    public long bytes() {
      return parts.stream().mapToLong(Part::length).sum();
    }
  }

  /**
   * What one attempt wrote.
   *
   * @param file where
   * @param length how much of that counts
   */
  record Part(String file, long length) {

    private static final Pattern FILE = Pattern.compile("draft-[0-9]{1,19}-[0-9]{1,10}");

    /**
     * Checks that it is one.
     *
     * @throws IllegalArgumentException if it is not
     */
    public Part {
      if (!FILE.matcher(file).matches() || length < 0) {
        throw new IllegalArgumentException("part must be one that a draft told of");
      }
    }
  }
}
