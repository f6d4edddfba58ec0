package io.leasehold.engine.work.outputs;

import static io.leasehold.db.schema.Tables.KEEP_OUTPUT;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.engine.work.steps.Holder;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobOutput;
import io.leasehold.jobs.JobsException;
import java.time.Instant;

/**
 * Has a name of a job stand for a file, in the caller's transaction, which holds the lease until
 * its end.
 */
final class KeepOutput {

  private static final int FILES_MAX = 1_000;

  private KeepOutput() {}

  /**
   * What is to be kept.
   *
   * @param name in the job
   * @param mediaType what it is
   * @param file where its bytes are
   * @param written how many and which
   */
  record Ready(String name, String mediaType, String file, MeasuredFile.Written written) {

    private JobOutput keptAt(Instant at) {
      return new JobOutput(name, mediaType, written.size(), written.sha256(), at);
    }
  }

  /**
   * What came of it.
   *
   * @param answer {@code kept} or {@code too_many}
   * @param output as it is known then
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
