package io.leasehold.rest.stream.write;

import io.leasehold.jobs.history.EventCursor;
import io.leasehold.jobs.history.JobEvent;
import io.leasehold.rest.http.JsonBody;
import java.io.ByteArrayOutputStream;

/** An event as it is sent: written once, in one line, for all who follow the job. */
public final class SentEvent {

  private final EventCursor cursor;
  private final String kind;
  private final byte[] json;

  private SentEvent(EventCursor cursor, String kind, byte[] json) {
    this.cursor = cursor;
    this.kind = kind;
    this.json = json;
  }

  public static SentEvent of(JobEvent event) {
    return new SentEvent(event.cursor(), event.kind(), JsonBody.bytes(EventView.of(event)));
  }

  /** Where it is in the job's history. */
  public EventCursor cursor() {
    return cursor;
  }

  /** The event's kind. */
  String kind() {
    return kind;
  }

  public int size() {
    return json.length;
  }

  void writeTo(ByteArrayOutputStream out) {
    out.writeBytes(json);
  }
}
