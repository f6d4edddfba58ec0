package io.leasehold.rest.history;

import io.leasehold.jobs.history.EventCursor;
import io.leasehold.rest.http.Exchange;
import io.leasehold.rest.http.Resource;
import io.leasehold.rest.parse.Query;
import io.leasehold.rest.stream.FollowJob;
import jakarta.inject.Inject;
import java.io.IOException;

/** Streams a job's events to a browser. */
public final class StreamEvents implements Resource {

  private static final String RULE = "Last-Event-ID must be the cursor of an event, like 12.3";

  private final FollowJob follow;

  @Inject
  StreamEvents(FollowJob follow) {
    this.follow = follow;
  }

  @Override
  public void answer(Exchange exchange) throws IOException, InterruptedException {
    follow.asServerSent(exchange, after(exchange));
  }

  /** A browser that reconnects requests the same URL again, and sends its position in a header. */
  private static EventCursor after(Exchange exchange) {
    var after = EventPlace.in(exchange.query());
    var last = exchange.headers("Last-Event-ID").stream().filter(it -> !it.isEmpty()).toList();
    if (last.isEmpty()) {
      return after;
    }
    try {
      return EventCursor.of(String.join(",", last));
    } catch (IllegalArgumentException e) {
      throw Query.refused(RULE);
    }
  }
}
