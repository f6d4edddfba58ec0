package io.leasehold.rest.stream;

import io.leasehold.jobs.EventCursor;
import java.util.ArrayDeque;
import java.util.List;

/** The newest events of a job, without a gap, as many as there is room for. Not thread-safe. */
final class Ring {

  private static final int EVENTS_MOST = 200;
  private static final int BYTES_MOST = 256 << 10;

  private final ArrayDeque<SentEvent> events = new ArrayDeque<>();

  private EventCursor begin;
  private EventCursor end;
  private int bytes;

  /** An empty one; what comes later is added. */
  Ring(EventCursor at) {
    begin = at;
    end = at;
  }

  /** Behind the last event. */
  EventCursor end() {
    return end;
  }

  /** Whether all that comes behind a place is here. */
  boolean reachesBackTo(EventCursor place) {
    return place.compareTo(begin) >= 0;
  }

  List<SentEvent> after(EventCursor place) {
    return events.stream().filter(event -> event.cursor().compareTo(place) > 0).toList();
  }

  void add(SentEvent event) {
    events.addLast(event);
    bytes += event.size();
    end = event.cursor();
    while (events.size() > EVENTS_MOST || bytes > BYTES_MOST) {
      var oldest = events.removeFirst();
      bytes -= oldest.size();
      begin = oldest.cursor();
    }
  }
}
