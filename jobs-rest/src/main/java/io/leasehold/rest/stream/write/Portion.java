package io.leasehold.rest.stream.write;

import io.leasehold.jobs.history.EventCursor;
import io.leasehold.jobs.history.JobEvent;
import java.util.List;

/**
 * A part of a history, small enough to be kept in memory until a client has read it.
 *
 * @param events the events in order
 * @param next the position after the last event, or the portion's start if it has none
 * @param hasMore whether more events may follow by now
 * @param isOver whether the job has finished, and this was the end of its history
 * @param bytes the size of the events' bodies
 */
public record Portion(
    List<JobEvent> events, EventCursor next, boolean hasMore, boolean isOver, int bytes) {

  /** Copies the events. */
  public Portion {
    events = List.copyOf(events);
  }

  /** The events as they are sent. */
  public List<SentEvent> sent() {
    return events.stream().map(SentEvent::of).toList();
  }
}
