package io.leasehold.engine.inmemory;

import io.leasehold.db.Transactions;
import io.leasehold.engine.inmemory.state.MemoryClock;
import io.leasehold.engine.service.values.Json;
import io.leasehold.engine.work.attempt.Journal;
import io.leasehold.engine.work.attempt.RunningJob;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.outputs.JobOutput;
import io.leasehold.jobs.outputs.OutputDraft;
import io.leasehold.jobs.outputs.OutputWriter;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jooq.JSON;
import org.jspecify.annotations.Nullable;

/**
 * Writes to the job object itself. Values are kept as they are for later attempts in this process.
 */
final class MemoryJournal implements Journal {

  private final MemoryJob job;
  private final RunningJob held;
  private final SecurityContext caller;
  private final Transactions transactions;
  private final MemoryClock clock;
  private final long pauseNanos;

  // Guarded by this.
  private Job.@Nullable Progress untold;
  private long toldAt;

  /**
   * Creates the journal of one attempt.
   *
   * @param writesPerSecond the maximum rate at which progress is added to the job's history
   */
  MemoryJournal(
      MemoryJob job,
      RunningJob held,
      SecurityContext caller,
      Transactions transactions,
      MemoryClock clock,
      int writesPerSecond) {
    this.job = job;
    this.held = held;
    this.caller = caller;
    this.transactions = transactions;
    this.clock = clock;
    this.pauseNanos = 1_000_000_000L / writesPerSecond;
    this.toldAt = clock.nanos() - pauseNanos;
  }

  @Override
  public synchronized void progress(short percent, String note) {
    var progress = new Job.Progress(percent, Optional.of(note));
    whileHeld(
        () -> {
          job.change(life -> life.progressed(progress, clock.now()));
          untold = progress;
          if (clock.nanos() - toldAt >= pauseNanos) {
            tellProgress();
          }
        });
  }

  private void tellProgress() {
    var progress = untold;
    if (progress != null) {
      untold = null;
      toldAt = clock.nanos();
      var body = Map.of("percent", progress.percent(), "note", progress.note().orElse(""));
      say("progress", Json.write("event", body).data());
    }
  }

  @Override
  public void event(String kind, JSON body) {
    whileHeld(() -> say(kind, body.data()));
  }

  private void say(String kind, String body) {
    var claimed = held.job();
    job.history().say(clock.now(), claimed.token(), claimed.attempt(), kind, body);
  }

  @Override
  public <T extends @Nullable Object> T step(String name, Class<T> type, Callable<? extends T> body)
      throws Exception {
    requireHeld();
    var done = job.steps().get(name);
    if (done != null) {
      return read("step " + name, type, done.orElse(null));
    }
    T value = body.call();
    whileHeld(() -> job.steps().put(name, Optional.ofNullable(value)));
    undoUnlessCommitted(() -> job.steps().remove(name));
    return value;
  }

  @Override
  public void checkpoint(Object value) {
    var before = job.checkpoint();
    var kept = Optional.of(value);
    whileHeld(() -> job.checkpoint(kept));
    undoUnlessCommitted(() -> job.undoCheckpoint(kept, before));
  }

  // The change belongs to the transaction on this thread. Without one, it belongs to a transaction
  // of its own.
  private void undoUnlessCommitted(Runnable undo) {
    transactions.asTenant(
        caller,
        tx -> {
          tx.afterEnd(
              committed -> {
                if (!committed) {
                  undo.run();
                }
              });
          return true;
        });
  }

  @Override
  public <T> Optional<T> lastCheckpoint(Class<T> type) {
    return job.checkpoint().map(value -> read("checkpoint", type, value));
  }

  @SuppressWarnings("NullAway") // If the step returned null, the type is nullable.
  private <T extends @Nullable Object> T read(String what, Class<T> type, @Nullable Object value) {
    if (value != null && !type.isInstance(value)) {
      throw new JobsException(
          ErrorCode.RESULT_UNREADABLE,
          "the %s of job %s is a %s, not a %s"
              .formatted(what, job.asked().id(), value.getClass().getName(), type.getName()));
    }
    return type.cast(value);
  }

  @Override
  public JobOutput output(String name, String mediaType, OutputWriter writer) {
    throw leavesNone();
  }

  @Override
  public OutputDraft draft(OutputDraft.Kept kept) {
    throw leavesNone();
  }

  private static IllegalStateException leavesNone() {
    return new IllegalStateException("a job in memory leaves no files: they would outlive it");
  }

  @Override
  public synchronized void close() {
    job.doAs(held, this::tellProgress);
  }

  private void requireHeld() {
    whileHeld(() -> {});
  }

  private void whileHeld(Runnable work) {
    if (!job.doAs(held, work)) {
      throw new JobsException(
          ErrorCode.LEASE_LOST, "job %s is no longer this attempt's".formatted(job.asked().id()));
    }
  }
}
