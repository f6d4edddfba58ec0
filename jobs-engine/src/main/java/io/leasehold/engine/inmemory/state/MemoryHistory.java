package io.leasehold.engine.inmemory.state;

import io.leasehold.engine.service.values.Json;
import io.leasehold.engine.work.events.EventQuota;
import io.leasehold.jobs.history.EventCursor;
import io.leasehold.jobs.history.EventPage;
import io.leasehold.jobs.history.JobEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** The history of an in-memory job, up to a bound. Safe to share between threads. */
public final class MemoryHistory {

  private static final String DROPPED = "events_dropped";

  /**
   * The number of facts allowed on top of the handler's events. The bound is needed because an
   * attempt may be put off forever.
   */
  private static final int FACTS_MAX = 10_000;

  // Guarded by this.
  private final List<JobEvent> events = new ArrayList<>();
  private final EventQuota quota;
  private EventCursor last = EventCursor.BEGIN;
  private int facts;

  /**
   * Creates an empty history.
   *
   * @param most the maximum number of the handler's events
   */
  public MemoryHistory(int most) {
    this.quota = new EventQuota(most, 0);
  }

  /** Adds a fact about the job. */
  public synchronized void tell(
      Instant at, long token, int attempt, String kind, Map<String, ?> body) {
    if (facts < FACTS_MAX) {
      facts++;
      add(at, token, attempt, kind, Json.write("event", body).data());
    }
  }

  /** Adds how the job ended, for which there is always room. */
  public synchronized void tellEnd(
      Instant at, long token, int attempt, String kind, Map<String, ?> body) {
    add(at, token, attempt, kind, Json.write("event", body).data());
  }

  /** Adds an event of a handler, if there is room for it, as for stored jobs. */
  public synchronized void say(Instant at, long token, int attempt, String kind, String body) {
    if (quota.isExhaustedBy(kind)) {
      add(at, token, attempt, DROPPED, "{}");
    }
    if (quota.admits(kind)) {
      add(at, token, attempt, kind, body);
    }
  }

  private void add(Instant at, long token, int attempt, String kind, String body) {
    last = token > last.token() ? new EventCursor(token, 0) : next();
    events.add(new JobEvent(last, at, kind, attempt, body));
  }

  private EventCursor next() {
    return new EventCursor(last.token(), last.n() + 1);
  }

  public synchronized List<JobEvent> all() {
    return List.copyOf(events);
  }

  public synchronized EventPage page(EventCursor after, int limit, boolean isOver) {
    var from = Collections.binarySearch(events, at(after), Comparator.comparing(JobEvent::cursor));
    var begin = from < 0 ? -from - 1 : from + 1;
    var end = Math.min(events.size(), begin + limit);
    var page = events.subList(begin, end);
    return new EventPage(
        page, page.isEmpty() ? after : page.getLast().cursor(), isOver && end == events.size());
  }

  private static JobEvent at(EventCursor cursor) {
    return new JobEvent(cursor, Instant.EPOCH, "", 0, "");
  }
}
