package io.leasehold.rest.stream;

import io.leasehold.jobs.history.EventCursor;
import io.leasehold.rest.http.Exchange;
import io.leasehold.rest.problem.Problem;
import io.leasehold.rest.problem.RequestRefusal;
import io.leasehold.rest.stream.write.Portion;
import io.leasehold.rest.stream.write.Portions;
import io.leasehold.rest.stream.write.StreamFormat;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.Optional;

/** Sends the whole current history of a job in portions, one event per line. */
public final class DownloadEvents {

  private final ReadTurns reads;
  private final OpenStreams streams;

  @Inject
  DownloadEvents(ReadTurns reads, OpenStreams streams) {
    this.reads = reads;
    this.streams = streams;
  }

  /** Sends the history from a position on. */
  public void download(Exchange exchange, EventCursor after) throws IOException {
    var id = exchange.job();
    try (var stream = streams.open(exchange)) {
      var portions = reads.portions(exchange.caller(), id);
      var first = portions.behind(after).orElseThrow(() -> RequestRefusal.of(Problem.NOT_FOUND));
      exchange.header("Content-Disposition", "attachment; filename=\"%s.ndjson\"".formatted(id));
      stream.write("");
      var portion = exchange.isForHeadersOnly() ? Optional.<Portion>empty() : Optional.of(first);
      while (portion.isPresent()) {
        stream.write(StreamFormat.NDJSON, portion.get().sent());
        portion = behind(portion.get(), stream, portions);
      }
    }
  }

  private static Optional<Portion> behind(Portion portion, OpenStream stream, Portions portions)
      throws IOException {
    if (!portion.hasMore()) {
      return Optional.empty();
    }
    stream.requireTime();
    return portions.behind(portion.next());
  }
}
