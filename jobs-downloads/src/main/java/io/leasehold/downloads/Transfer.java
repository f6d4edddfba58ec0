package io.leasehold.downloads;

import io.leasehold.downloads.http.Answer;
import io.leasehold.downloads.http.Fetcher;
import io.leasehold.downloads.http.Target;
import io.leasehold.downloads.http.TooSlow;
import io.leasehold.downloads.http.TransferRate;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.PermanentFailure;
import io.leasehold.jobs.outputs.OutputDraft;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** One attempt at a download. Confined to one thread. */
final class Transfer implements Closeable {

  private static final int OK = 200;
  private static final int PARTIAL = 206;
  private static final int BAD_RANGE = 416;

  /** Status codes that may be temporary. */
  private static final Set<Integer> PASSING = Set.of(408, 425, 429, 500, 502, 503, 504);

  private static final int BUFFER = 64 << 10;
  private static final Duration KEEP_EVERY = Duration.ofSeconds(5);

  /**
   * A server that closes connections again and again is not asked forever; after this many, a retry
   * waits.
   */
  private static final int CONNECTIONS_MOST = 100;

  private final JobContext job;
  private final Download input;
  private final DownloadConfig config;
  private final TransferRate pace;
  private final Fetcher fetcher;
  private final Target target;
  private final OutputDraft draft;
  private final byte[] buffer = new byte[BUFFER];
  private Position position;
  private final long begunAt = System.nanoTime();
  private long keptAt = begunAt;

  /** The bytes received in this attempt, of any version. */
  private long arrived;

  Transfer(
      JobContext job, Download input, DownloadConfig config, TransferRate pace, Fetcher fetcher)
      throws IOException {
    this.job = job;
    this.input = input;
    this.config = config;
    this.pace = pace;
    this.fetcher = fetcher;
    this.target = input.target();
    this.position = job.lastCheckpoint(Position.class).orElse(Position.BEGIN);
    this.draft = job.draft(position.kept());
  }

  Downloaded run() throws IOException {
    if (draft.length() < position.kept().bytes()) {
      startOver();
    }
    for (var connections = 0; !isWhole(); connections++) {
      if (connections == CONNECTIONS_MOST) {
        throw new IOException("%s cuts off again and again".formatted(target.shown()));
      }
      job.throwIfCancelled();
      fetchSome();
      requirePace();
    }
    return finished();
  }

  // Otherwise a server that slowly sends a few bytes and closes the connection each time would be
  // asked for a long time.
  private void requirePace() throws TooSlow {
    var counted =
        Duration.ofNanos(System.nanoTime() - begunAt)
            .minus(pace.headTimeout())
            .minus(pace.readTimeout());
    if (!isWhole() && arrived < pace.leastIn(counted)) {
      throw new TooSlow(
          "%s sends less than %d bytes a second".formatted(target.shown(), pace.leastRate()));
    }
  }

  private boolean isWhole() {
    return position.total().isPresent() && position.total().getAsLong() == draft.length();
  }

  // The received bytes are kept, whatever happens afterwards. If no bytes arrived, or they arrived
  // too slowly, it is pointless to ask again at once: the job's retry waits.
  private void fetchSome() throws IOException {
    var before = arrived;
    try {
      fetch();
    } catch (IOException e) {
      if (arrived > before) {
        keep();
      }
      if (arrived == before || e instanceof TooSlow) {
        throw e;
      }
    }
  }

  private void fetch() throws IOException {
    if (position.validator().isEmpty() && draft.length() > 0) {
      startOver(); // It is unknown whether the rest belongs to the same file.
    }
    var from = draft.length();
    var rest =
        position
            .validator()
            .filter(_ -> from > 0)
            .map(validator -> new Fetcher.Rest(from, validator));
    try (var answer = fetcher.get(target, rest)) {
      switch (answer.status()) {
        case PARTIAL -> goOn(answer, rest);
        case OK -> begin(answer);
        case BAD_RANGE -> startOver(rest);
        default -> throw refused(answer.status());
      }
    }
  }

  // The file has changed, or the server does not support ranges.
  private void begin(Answer answer) throws IOException {
    if (draft.length() > 0) {
      startOver();
    }
    position = new Position(OutputDraft.Kept.NOTHING, answer.validator(), answer.length());
    requireSmallEnough(answer.length());
    job.event("download_started", Map.of("host", target.shown()));
    copy(answer);
    if (position.total().isEmpty()) {
      position = position.total(draft.length());
      keep();
    }
  }

  private void goOn(Answer answer, Optional<Fetcher.Rest> rest) throws IOException {
    var part = answer.part();
    if (rest.isEmpty() || part.isEmpty() || part.get().first() != rest.get().from()) {
      throw new PermanentFailure(
          "%s sends another part than was asked for".formatted(target.shown()));
    }
    var total = part.get().total();
    // If the size is unknown, a part that ends too soon would be taken for the last part.
    if (answer.isOtherThan(rest.get().validator()) || total.isEmpty() || isAnother(total)) {
      startOver();
      return;
    }
    position = position.total(total.getAsLong());
    requireSmallEnough(position.total());
    job.event("download_resumed", Map.of("host", target.shown(), "from", draft.length()));
    copy(answer);
  }

  private boolean isAnother(OptionalLong total) {
    return position.total().isPresent() && !position.total().equals(total);
  }

  private void startOver(Optional<Fetcher.Rest> rest) throws IOException {
    if (rest.isEmpty()) {
      throw refused(BAD_RANGE);
    }
    startOver();
  }

  private void startOver() throws IOException {
    draft.reset();
    position = Position.BEGIN;
    keep();
    job.event("download_restarted", Map.of("host", target.shown()));
  }

  private void copy(Answer answer) throws IOException {
    for (var count = answer.body().read(buffer); count >= 0; count = answer.body().read(buffer)) {
      job.throwIfCancelled();
      requireSmallEnough(OptionalLong.of(draft.length() + count));
      requireNoMoreThanToldOf(count);
      draft.write(buffer, 0, count);
      arrived += count;
      keepNowAndThen();
    }
    keep();
  }

  private void keepNowAndThen() throws IOException {
    if (draft.length() - position.kept().bytes() >= config.keepEvery()
        || System.nanoTime() - keptAt >= KEEP_EVERY.toNanos()) {
      keep();
    }
  }

  // The bytes are stored before the checkpoint refers to them.
  private void keep() throws IOException {
    position = position.kept(draft.keep());
    job.checkpoint(position);
    keptAt = System.nanoTime();
    tellProgress();
  }

  private void tellProgress() {
    var total = position.total().orElse(0);
    var percent = total == 0 ? 0 : (int) (draft.length() * 100 / total);
    job.progress(percent, "%d bytes".formatted(draft.length()));
  }

  private void requireSmallEnough(OptionalLong bytes) {
    if (bytes.orElse(0) > config.bytesMost()) {
      throw new PermanentFailure(
          "the file at %s has more than %d bytes".formatted(target.shown(), config.bytesMost()));
    }
  }

  private void requireNoMoreThanToldOf(int more) throws IOException {
    if (draft.length() + more > position.total().orElse(Long.MAX_VALUE)) {
      throw new IOException(
          "%s sends more bytes than the file should have".formatted(target.shown()));
    }
  }

  private IOException refused(int status) {
    var message = "%s answers with %d".formatted(target.shown(), status);
    if (PASSING.contains(status)) {
      return new IOException(message);
    }
    throw new PermanentFailure(message);
  }

  private Downloaded finished() throws IOException {
    if (input.sha256().isPresent() && !input.sha256().get().equals(draft.sha256())) {
      startOver(); // None of the stored bytes may be used to resume.
      throw new PermanentFailure(
          "the file at %s has another digest than it should have".formatted(target.shown()));
    }
    var output = draft.finish(input.name(), input.mediaType());
    return new Downloaded(output.name(), output.size(), output.sha256());
  }

  @Override
  public void close() throws IOException {
    draft.close();
  }
}
