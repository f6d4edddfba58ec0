package io.leasehold.rest.history;

import io.leasehold.jobs.history.EventCursor;
import io.leasehold.rest.parse.Query;

/** Reads the position in a history from which a request starts. */
final class EventPlace {

  private static final String RULE = "after must be the cursor of an event, like 12.3";

  private EventPlace() {}

  static EventCursor in(Query query) {
    return query.read("after", EventCursor::of, RULE).orElse(EventCursor.BEGIN);
  }
}
