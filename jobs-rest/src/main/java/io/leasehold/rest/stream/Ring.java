package io.leasehold.rest.stream;

import io.leasehold.jobs.history.EventCursor;
import io.leasehold.rest.stream.write.SentEvent;
import java.util.ArrayDeque;
import java.util.List;

/** The newest events of a job, without a gap, as many as fit. Not thread-safe. */
final class Ring {

  private static final int EVENTS_MOST = 200;
  private static final int BYTES_MOST = 256 << 10;

  private final ArrayDeque<SentEvent> events = new ArrayDeque<>();

  private EventCursor begin;
  private EventCursor end;
  private int bytes;

  /** Creates an empty ring that starts at a position; later events are added. */
  Ring(EventCursor at) {
    begin = at;
    end = at;
  }

  /** The position after the last event. */
  EventCursor end() {
    return end;
  }

  /** Whether all events after a position are in the ring. */
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
