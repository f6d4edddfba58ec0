package io.leasehold.engine.work.steps;

import static io.leasehold.db.schema.Tables.KEEP_STEP;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import org.jooq.JSON;

/** Records a finished step in the caller's transaction, which locks the lease until it ends. */
final class KeepStep {

  private static final int STEPS_MAX = 1_000;
  private static final int CHARACTERS_MAX = 16 << 20;

  private KeepStep() {}

  /**
   * The result of recording a step.
   *
   * @param answer {@code done}, {@code repeated}, {@code too_many} or {@code too_large}
   * @param steps the number of the job's finished steps, including this one
   * @param characters the total number of characters that they store
   */
  record Kept(String answer, int steps, long characters) {

    boolean isRepeated() {
      return answer.equals("repeated");
    }

    boolean isDone() {
      return answer.equals("done");
    }

    void requireRoom() {
      switch (answer) {
        case "too_many" -> throw tooLarge("%d steps".formatted(STEPS_MAX), STEPS_MAX, steps);
        case "too_large" ->
            throw tooLarge(
                "%d characters in all steps".formatted(CHARACTERS_MAX), CHARACTERS_MAX, characters);
        default -> {}
      }
    }

    private static JobsException tooLarge(String limit, long most, long seen) {
      return new JobsException(
          ErrorCode.TOO_LARGE,
          "a job must have at most %s, not %d".formatted(limit, seen),
          new JobsException.Limit(most, seen));
    }
  }

  static Kept keep(ScopedTransaction tx, Holder holder, String name, JSON value) {
    var kept = KEEP_STEP.call(holder.id(), holder.worker().value(), holder.token(), name, value);
    return tx.dsl()
        .select(kept.ANSWER, kept.STEPS, kept.CHARACTERS)
        .from(kept)
        .fetchOptional(row -> new Kept(row.value1(), row.value2(), row.value3()))
        .orElseThrow(holder::lost);
  }
}
