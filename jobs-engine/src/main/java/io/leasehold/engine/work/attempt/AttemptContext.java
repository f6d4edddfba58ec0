package io.leasehold.engine.work.attempt;

import io.leasehold.engine.kernel.ErrorText;
import io.leasehold.engine.service.values.Json;
import io.leasehold.engine.service.values.Metadata;
import io.leasehold.engine.work.events.EventKinds;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.StopReason;
import io.leasehold.jobs.outputs.JobOutput;
import io.leasehold.jobs.outputs.OutputDraft;
import io.leasehold.jobs.outputs.OutputWriter;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** One attempt, as its handler sees it. */
public final class AttemptContext implements JobContext {

  private static final int NOTE_MAX = 1_000;
  private static final int EVENT_MAX = 65_536;
  private static final int NAME_MAX = 200;

  private final JobType<?, ?> type;
  private final RunningJob held;
  private final SecurityContext caller;
  private final Metadata metadata;
  private final Journal journal;

  /**
   * Creates the context of one attempt.
   *
   * @param metadata the metadata of the request
   * @param journal receives what the attempt writes
   */
  public AttemptContext(
      JobType<?, ?> type,
      RunningJob held,
      SecurityContext caller,
      Metadata metadata,
      Journal journal) {
    this.type = type;
    this.held = held;
    this.caller = caller;
    this.metadata = metadata;
    this.journal = journal;
  }

  @Override
  public JobId id() {
    return held.job().id();
  }

  @Override
  public JobType<?, ?> type() {
    return type;
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
  public boolean isAdopted() {
    return held.job().ranBefore().isPresent();
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
  public long attemptToken() {
    return held.job().firstToken();
  }

  @Override
  public Map<String, String> metadata() {
    return metadata.texts();
  }

  @Override
  public <T> Optional<T> metadata(String name, Class<T> type) {
    return metadata.value(name, type);
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
    journal.progress((short) percent, ErrorText.storable(note));
  }

  @Override
  public void event(String kind, Object body) {
    EventKinds.requireOwn(kind);
    journal.event(kind, Json.write("event", body, EVENT_MAX));
  }

  @Override
  public <T extends @Nullable Object> T step(String name, Class<T> type, Callable<? extends T> body)
      throws Exception {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("name must have a character");
    }
    requireLength("name", name, NAME_MAX);
    requireNoNul("name", name);
    return journal.step(name, type, body);
  }

  @Override
  public void checkpoint(Object value) {
    journal.checkpoint(value);
  }

  @Override
  public <T> Optional<T> lastCheckpoint(Class<T> type) {
    return journal.lastCheckpoint(type);
  }

  @Override
  public JobOutput output(String name, String mediaType, OutputWriter writer) throws IOException {
    JobOutput.requireValid(name, mediaType);
    return journal.output(name, mediaType, writer);
  }

  @Override
  public OutputDraft draft(OutputDraft.Kept kept) throws IOException {
    return journal.draft(kept);
  }

  @Override
  public boolean isCancelled() {
    return stopped().isPresent();
  }

  @Override
  public Optional<StopReason> stopped() {
    return held.stoppedBy(System.nanoTime());
  }

  @Override
  public void throwIfCancelled() {
    if (isCancelled()) {
      throw new CancellationException("job %s was stopped".formatted(id()));
    }
  }

  // PostgreSQL text cannot contain NUL, and can contain any other character.
  private static void requireNoNul(String name, String value) {
    if (value.indexOf(0) >= 0) {
      throw new IllegalArgumentException("%s must have no NUL".formatted(name));
    }
  }

  private static void requireLength(String name, String value, int most) {
    if (value.length() > most) {
      throw new IllegalArgumentException(
          "%s must have at most %d characters, not %d".formatted(name, most, value.length()));
    }
  }
}
