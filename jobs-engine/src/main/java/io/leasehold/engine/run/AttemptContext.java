package io.leasehold.engine.run;

import io.leasehold.engine.submit.Json;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;

/** One attempt, as its handler sees it. */
final class AttemptContext implements JobContext {

  private static final int NOTE_MAX = 1_000;
  private static final int KIND_MAX = 64;

  private final HeldJob held;
  private final SecurityContext caller;
  private final TellOfJob tell;
  private final AtomicInteger events = new AtomicInteger();

  AttemptContext(HeldJob held, SecurityContext caller, TellOfJob tell) {
    this.held = held;
    this.caller = caller;
    this.tell = tell;
  }

  @Override
  public JobId id() {
    return held.job().id();
  }

  @Override
  public SecurityContext caller() {
    return caller;
  }

  @Override
  public int attempt() {
    return held.job().attempt();
  }

  @Override
  public int maxAttempts() {
    return held.job().maxAttempts();
  }

  @Override
  public long fenceToken() {
    return held.job().token();
  }

  @Override
  public Map<String, String> metadata() {
    return Json.words(held.job().metadata());
  }

  @Override
  public Optional<Duration> remaining() {
    return held.remaining(System.nanoTime());
  }

  @Override
  public void progress(int percent, String note) {
    if (percent < 0 || percent > 100) {
      throw new IllegalArgumentException("percent must be 0 to 100, not " + percent);
    }
    requireLength("note", note, NOTE_MAX);
    fenced(() -> tell.progress(held.job(), (short) percent, note));
  }

  @Override
  public void event(String kind, Object body) {
    requireLength("kind", kind, KIND_MAX);
    var json = Json.write("event", body);
    fenced(() -> tell.event(held.job(), events.getAndIncrement(), kind, json));
  }

  // What is refused here tells first that the lease is lost: nobody else needs to find out.
  private void fenced(Runnable write) {
    try {
      write.run();
    } catch (JobsException e) {
      if (e.code() == ErrorCode.LEASE_LOST) {
        held.stop(Stop.LOST, System.nanoTime());
      }
      throw e;
    }
  }

  @Override
  public boolean isCancelled() {
    return held.stopped().isPresent();
  }

  @Override
  public void throwIfCancelled() {
    if (isCancelled()) {
      throw new CancellationException("job %s was stopped".formatted(id()));
    }
  }

  private static void requireLength(String name, String value, int most) {
    if (value.length() > most) {
      throw new IllegalArgumentException(
          "%s must have at most %d characters, not %d".formatted(name, most, value.length()));
    }
  }
}
