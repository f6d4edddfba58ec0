package io.leasehold.rest.history;

import io.leasehold.jobs.JobService;
import io.leasehold.jobs.history.EventCursor;
import io.leasehold.rest.http.Exchange;
import io.leasehold.rest.http.Resource;
import io.leasehold.rest.http.Restartable;
import io.leasehold.rest.parse.Query;
import io.leasehold.rest.problem.Problem;
import io.leasehold.rest.problem.RequestRefusal;
import io.leasehold.rest.stream.DownloadEvents;
import io.leasehold.rest.stream.FollowJob;
import io.leasehold.rest.stream.write.EventView;
import io.leasehold.rest.stream.write.Portion;
import io.leasehold.rest.stream.write.Portions;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Shows a job's history: one page, or, as NDJSON, all of it including future events. */
public final class ShowEvents implements Resource {

  private static final String NDJSON = "application/x-ndjson";
  private static final int OK = 200;
  private static final int LIMIT = 100;
  private static final int LIMIT_MOST = 200;
  private static final int BYTES_MOST = 1 << 20;

  private final JobService jobs;
  private final DownloadEvents download;
  private final FollowJob follow;

  @Inject
  ShowEvents(@Restartable JobService jobs, DownloadEvents download, FollowJob follow) {
    this.jobs = jobs;
    this.download = download;
    this.follow = follow;
  }

  @Override
  public void answer(Exchange exchange) throws IOException, InterruptedException {
    var after = EventPlace.in(exchange.query());
    var limit = exchange.query().number("limit", 1, LIMIT_MOST);
    var followed = exchange.query().flag("follow");
    var lines = followed || exchange.mediaType().equals(NDJSON);
    if (lines && limit.isPresent()) {
      throw Query.refused("limit is for pages, and not for NDJSON");
    }
    if (followed) {
      follow.asLines(exchange.giving(NDJSON), after);
    } else if (lines) {
      download.download(exchange, after);
    } else {
      page(exchange, after, limit.orElse(LIMIT));
    }
  }

  private void page(Exchange exchange, EventCursor after, int limit) throws IOException {
    var id = exchange.job();
    var portions = new Portions((place, most) -> jobs.events(exchange.caller(), id, place, most));
    var portion = portion(portions, after, limit);
    var events = new ArrayList<>(portion.events());
    var bytes = portion.bytes();
    while (portion.hasMore()
        && events.size() < limit
        && bytes + Portions.BYTES_MOST <= BYTES_MOST) {
      portion = portion(portions, portion.next(), limit - events.size());
      events.addAll(portion.events());
      bytes += portion.bytes();
    }
    exchange.json(
        OK,
        new Page(
            events.stream().map(EventView::of).toList(),
            Optional.of(portion.next())
                .filter(next -> !next.equals(EventCursor.BEGIN))
                .map(EventCursor::toString),
            portion.isOver()));
  }

  private static Portion portion(Portions portions, EventCursor after, int most) {
    return portions.behind(after, most).orElseThrow(() -> RequestRefusal.of(Problem.NOT_FOUND));
  }

  /**
   * A page of the history.
   *
   * @param events the events in order
   * @param next the cursor of the next page
   * @param over whether this was the end of the history
   */
  private record Page(List<EventView> events, Optional<String> next, boolean over) {}
}
