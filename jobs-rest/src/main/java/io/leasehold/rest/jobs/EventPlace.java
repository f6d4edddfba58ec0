package io.leasehold.rest.jobs;

import io.leasehold.jobs.EventCursor;
import io.leasehold.rest.http.Query;

/** Where in a history to begin, as a request says. */
final class EventPlace {

  private static final String RULE = "after must be the cursor of an event, like 12.3";

  private EventPlace() {}

  static EventCursor in(Query query) {
    return query.read("after", EventCursor::of, RULE).orElse(EventCursor.BEGIN);
  }
}
