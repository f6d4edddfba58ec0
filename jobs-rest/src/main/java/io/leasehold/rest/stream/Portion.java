package io.leasehold.rest.stream;

import io.leasehold.jobs.EventCursor;
import io.leasehold.jobs.JobEvent;
import java.util.List;

/**
 * A part of a history, small enough to be kept until a client has read it.
 *
 * @param events in their order
 * @param next behind the last of them, or where the portion began if there is none
 * @param hasMore whether there may be more behind it by now
 * @param isOver whether the job is over, and this was the end of its history
 * @param bytes of the events' bodies
 */
public record Portion(
    List<JobEvent> events, EventCursor next, boolean hasMore, boolean isOver, int bytes) {

  /** Keeps a copy of the events. */
  public Portion {
    events = List.copyOf(events);
  }

  /** The events as they are sent. */
  List<SentEvent> sent() {
    return events.stream().map(SentEvent::of).toList();
  }
}
