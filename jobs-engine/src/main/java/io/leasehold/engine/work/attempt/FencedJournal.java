package io.leasehold.engine.work.attempt;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.engine.work.events.EventBuffer;
import io.leasehold.engine.work.outputs.OutputTerms;
import io.leasehold.engine.work.outputs.Outputs;
import io.leasehold.engine.work.steps.Checkpoint;
import io.leasehold.engine.work.steps.Holder;
import io.leasehold.engine.work.steps.Steps;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.StopReason;
import io.leasehold.jobs.outputs.JobOutput;
import io.leasehold.jobs.outputs.OutputDraft;
import io.leasehold.jobs.outputs.OutputWriter;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jooq.JSON;
import org.jspecify.annotations.Nullable;

/** Writes to the database, under the fence of the attempt's lease. */
final class FencedJournal implements Journal {

  private final RunningJob held;
  private final Holder holder;
  private final EventBuffer told;
  private final Steps steps;
  private final Checkpoint checkpoint;
  private final Outputs outputs;
  private volatile boolean closed;
  private volatile boolean endInDoubt;

  FencedJournal(RunningJob held, Holder holder, EventBuffer told, OutputTerms terms) {
    this.held = held;
    this.holder = holder;
    this.told = told;
    this.steps = new Steps(holder);
    this.outputs = new Outputs(holder, terms);
    this.checkpoint = new Checkpoint(holder, outputs::goOnFrom);
  }

  @Override
  public void progress(short percent, String note) {
    fenced(() -> told.progress(percent, note));
  }

  @Override
  public void event(String kind, JSON body) {
    fenced(() -> told.event(kind, body));
  }

  @Override
  public <T extends @Nullable Object> T step(String name, Class<T> type, Callable<? extends T> body)
      throws Exception {
    return this.<T, Exception>answered(() -> steps.step(name, type, body));
  }

  @Override
  public void checkpoint(Object value) {
    fenced(() -> checkpoint.keep(value));
  }

  @Override
  public <T> Optional<T> lastCheckpoint(Class<T> type) {
    return answered(() -> checkpoint.last(type));
  }

  @Override
  public JobOutput output(String name, String mediaType, OutputWriter writer) throws IOException {
    return this.<JobOutput, IOException>answered(() -> outputs.output(name, mediaType, writer));
  }

  @Override
  public OutputDraft draft(OutputDraft.Kept kept) throws IOException {
    return this.<OutputDraft, IOException>answered(() -> outputs.draft(kept));
  }

  /** Records that a cancellation was requested. */
  void cancelRequested() {
    told.cancelRequested();
  }

  @Override
  public void close() {
    closed = true;
    told.close(held::isLost);
  }

  /**
   * Closes the journal. The last statement of the transaction ends the job if the transaction
   * commits.
   */
  void endIn(ScopedTransaction tx) {
    close();
    endInDoubt = true;
    tx.afterCommit(() -> endInDoubt = false);
  }

  /**
   * Whether a transaction of the handler may still be open and hold the lease. A statement that
   * ends the job would have to wait for it.
   */
  boolean isInDoubt() {
    return endInDoubt || steps.areDoubtful() || checkpoint.isDoubtful() || outputs.areDoubtful();
  }

  private void fenced(Runnable write) {
    answered(
        () -> {
          write.run();
          return held;
        });
  }

  /** An operation that is performed under the fence. */
  @FunctionalInterface
  private interface Work<T extends @Nullable Object, E extends Exception> {
    T run() throws E;
  }

  // A rejected write is the first sign that the lease is lost. The job is stopped here, without
  // waiting for another check to find out.
  private <T extends @Nullable Object, E extends Exception> T answered(Work<T, E> work) throws E {
    if (held.isLost()) {
      throw holder.lost();
    }
    if (closed) {
      throw new IllegalStateException(
          "the attempt has ended: nothing can be told or kept of it any more");
    }
    try {
      return work.run();
    } catch (JobsException e) {
      if (e.code() == ErrorCode.LEASE_LOST) {
        held.stop(StopReason.LOST, System.nanoTime());
      }
      throw e;
    }
  }
}
