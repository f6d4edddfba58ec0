package io.leasehold.engine.work.outputs;

import static io.leasehold.db.schema.Tables.KEEP_OUTPUT;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.engine.work.steps.Holder;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.outputs.JobOutput;
import java.time.Instant;

/**
 * Assigns a file to an output name of a job, in the caller's transaction, which locks the lease
 * until it ends.
 */
final class KeepOutput {

  private static final int FILES_MAX = 1_000;

  private KeepOutput() {}

  /**
   * An output that is ready to be stored.
   *
   * @param name the name within the job
   * @param mediaType the media type of the output
   * @param file the file with the bytes
   * @param written the size and the digest of the bytes
   */
  record Ready(String name, String mediaType, String file, MeasuredFile.Written written) {

    private JobOutput keptAt(Instant at) {
      return new JobOutput(name, mediaType, written.size(), written.sha256(), at);
    }
  }

  /**
   * The result of storing an output.
   *
   * @param answer {@code kept} or {@code too_many}
   * @param output the output as stored
   */
  record Kept(String answer, JobOutput output) {

    boolean isKept() {
      return answer.equals("kept");
    }

    JobOutput required() {
      if (!isKept()) {
        throw new JobsException(
            ErrorCode.TOO_LARGE,
            "a job must leave at most %d files".formatted(FILES_MAX),
            new JobsException.Limit(FILES_MAX, FILES_MAX + 1));
      }
      return output;
    }
  }

  static Kept keep(ScopedTransaction tx, Holder holder, Ready ready) {
    var kept =
        KEEP_OUTPUT.call(
            holder.id(),
            holder.worker().value(),
            holder.token(),
            ready.name(),
            ready.file(),
            ready.written().size(),
            ready.written().sha256(),
            ready.mediaType());
    return tx.dsl()
        .select(kept.ANSWER, kept.KEPT_AT)
        .from(kept)
        .fetchOptional(row -> new Kept(row.value1(), ready.keptAt(row.value2().toInstant())))
        .orElseThrow(holder::lost);
  }
}
