package io.leasehold.rest.stream;

import io.leasehold.jobs.EventCursor;
import io.leasehold.rest.http.Exchange;
import io.leasehold.rest.problem.Problem;
import io.leasehold.rest.problem.Refusal;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.Optional;

/** Sends the whole of a job's history as it is now, a page at a time, an event in each line. */
public final class DownloadEvents {

  private static final int PAGE = 100;

  private final ReadTurns reads;
  private final OpenStreams streams;

  @Inject
  DownloadEvents(ReadTurns reads, OpenStreams streams) {
    this.reads = reads;
    this.streams = streams;
  }

  /** Sends it from a place on. */
  public void download(Exchange exchange, EventCursor after) throws IOException {
    var id = exchange.job();
    try (var stream = streams.open(exchange, () -> {})) {
      var page =
          Optional.of(
              reads
                  .events(exchange.caller(), id, after, PAGE)
                  .orElseThrow(() -> Refusal.of(Problem.NOT_FOUND)));
      exchange.header("Content-Disposition", "attachment; filename=\"%s.ndjson\"".formatted(id));
      stream.write("");
      while (page.isPresent() && !page.get().events().isEmpty()) {
        var its = page.get();
        stream.write(StreamFormat.NDJSON, its.events().stream().map(SentEvent::of).toList());
        page =
            its.events().size() < PAGE
                ? Optional.empty()
                : reads.events(exchange.caller(), id, its.next(), PAGE);
      }
    }
  }
}
