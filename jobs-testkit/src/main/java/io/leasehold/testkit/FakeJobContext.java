package io.leasehold.testkit;

import io.leasehold.jobs.Job;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A handler's context without a database, for testing the handler alone. It records what the
 * handler reports. Values of steps and checkpoints are written and read as JSON, as in the engine.
 *
 * {@snippet :
 * var job = FakeJobContext.of(ann, MonthlyReport.TYPE).done("fetch", rows);
 * var output = new MonthlyReport().run(job, october);
 * assertThat(job.lastProgress()).hasValue(new Job.Progress(50, Optional.of("rendering")));
 * }
 *
 * <p>Not safe to share between threads.
 */
public final class FakeJobContext implements JobContext {

  private final JsonMapper json = JsonMapper.builder().build();
  private final SecurityContext caller;
  private final JobType<?, ?> type;
  private final JobId id = new JobId(UUID.randomUUID());
  private final Map<String, String> metadata = new HashMap<>();
  private final Map<String, String> steps = new LinkedHashMap<>();
  private final List<Told> told = new ArrayList<>();
  private final FakeOutputs outputs = new FakeOutputs();
  private int attempt = 1;
  private int maxAttempts;
  private Optional<Duration> remaining = Optional.empty();
  private Optional<Job.Progress> progress = Optional.empty();
  private @Nullable String checkpoint;
  private boolean adopted;
  private Optional<StopReason> stopped = Optional.empty();

  private FakeJobContext(SecurityContext caller, JobType<?, ?> type) {
    this.caller = caller;
    this.type = type;
    this.maxAttempts = type.retry().maxAttempts();
  }

  /**
   * An event that the handler reported.
   *
   * @param kind the kind of the event
   * @param body the body as JSON
   */
  public record Told(String kind, String body) {}

  /** Returns a context for the first attempt of a caller's job. */
  public static FakeJobContext of(SecurityContext caller, JobType<?, ?> type) {
    return new FakeJobContext(caller, type);
  }

  /** Sets the number of the attempt, and the maximum number of attempts. */
  public FakeJobContext attempt(int attempt, int most) {
    this.attempt = attempt;
    this.maxAttempts = most;
    return this;
  }

  /** Starts the next attempt, which keeps the steps, the checkpoint and the files. */
  public FakeJobContext nextAttempt() {
    adopted = false;
    return attempt(attempt + 1, Math.max(maxAttempts, attempt + 1));
  }

  /** Marks the attempt as begun by an earlier worker. */
  public FakeJobContext adopted() {
    adopted = true;
    return this;
  }

  /** Adds a text to the job's metadata, as {@link io.leasehold.jobs.JobRequest} does. */
  public FakeJobContext metadata(String name, String value) {
    return metadata(name, (Object) value);
  }

  /** Adds a value to the job's metadata, which is written and read as JSON. */
  public FakeJobContext metadata(String name, Object value) {
    metadata.put(name, KeptMetadata.written(value));
    return this;
  }

  /** Sets the remaining time. */
  public FakeJobContext remaining(Duration remaining) {
    this.remaining = Optional.of(remaining);
    return this;
  }

  /** Marks a step as done by an earlier attempt. */
  public FakeJobContext done(String step, @Nullable Object value) {
    steps.put(step, json.writeValueAsString(value));
    return this;
  }

  /** Requests the end of the job. */
  public void cancel() {
    stop(StopReason.CANCELLED);
  }

  /** Notifies the handler that it must stop. */
  public void stop(StopReason why) {
    stopped = Optional.of(why);
  }

  /** Returns the steps that are done, in their order. */
  public List<String> steps() {
    return List.copyOf(steps.keySet());
  }

  /** Returns the progress that the handler reported last. */
  public Optional<Job.Progress> lastProgress() {
    return progress;
  }

  /** Returns the events that the handler reported, in their order. */
  public List<Told> told() {
    return List.copyOf(told);
  }

  /** Returns the files that the handler created, in their order. */
  public List<String> outputs() {
    return outputs.names();
  }

  /**
   * Returns the bytes of a file that the handler created.
   *
   * @throws AssertionError if it created no file with this name
   */
  public byte[] bytesOf(String output) {
    return outputs.bytes(output);
  }

  @Override
  public JobId id() {
    return id;
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
    return attempt;
  }

  @Override
  public boolean isAdopted() {
    return adopted;
  }

  @Override
  public int maxAttempts() {
    return maxAttempts;
  }

  /** Returns the number of the attempt. */
  @Override
  public long fenceToken() {
    return attempt;
  }

  /** Returns the number of the attempt. */
  @Override
  public long attemptToken() {
    return attempt;
  }

  @Override
  public Map<String, String> metadata() {
    return KeptMetadata.texts(metadata);
  }

  @Override
  public <T> Optional<T> metadata(String name, Class<T> type) {
    return KeptMetadata.value(metadata, name, type);
  }

  @Override
  public Optional<Duration> remaining() {
    return remaining;
  }

  @Override
  public <T extends @Nullable Object> T step(String name, Class<T> type, Callable<? extends T> body)
      throws Exception {
    if (!steps.containsKey(name)) {
      steps.put(name, json.writeValueAsString(body.call()));
    }
    return json.readValue(steps.get(name), type);
  }

  @Override
  public void checkpoint(Object value) {
    checkpoint = json.writeValueAsString(value);
  }

  @Override
  public <T> Optional<T> lastCheckpoint(Class<T> type) {
    return Optional.ofNullable(checkpoint).map(value -> json.readValue(value, type));
  }

  @Override
  public JobOutput output(String name, String mediaType, OutputWriter writer) throws IOException {
    return outputs.write(name, mediaType, writer);
  }

  @Override
  public OutputDraft draft(OutputDraft.Kept kept) {
    return outputs.draft(kept);
  }

  @Override
  public void progress(int percent, String note) {
    progress = Optional.of(new Job.Progress(percent, Optional.of(note)));
  }

  @Override
  public void event(String kind, Object body) {
    told.add(new Told(kind, json.writeValueAsString(body)));
  }

  @Override
  public boolean isCancelled() {
    return stopped.isPresent();
  }

  @Override
  public Optional<StopReason> stopped() {
    return stopped;
  }

  @Override
  public void throwIfCancelled() {
    if (isCancelled()) {
      throw new CancellationException("job %s was stopped".formatted(id));
    }
  }
}
