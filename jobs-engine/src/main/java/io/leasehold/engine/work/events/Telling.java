package io.leasehold.engine.work.events;

import io.leasehold.engine.service.values.Json;
import java.util.Optional;
import org.jooq.JSON;

/**
 * An event that an attempt reports.
 *
 * @param kind the kind of event
 * @param body the details of the event
 * @param toldAt when it was reported, by the process's clock
 * @param progress the progress, if the event reports any
 */
record Telling(String kind, JSON body, long toldAt, Optional<Progress> progress) {

  static final String CANCEL_REQUESTED = "cancel_requested";

  private static final JSON NOTHING = JSON.json("{}");

  /** How far the work has come. */
  record Progress(short percent, String note) {}

  static Telling event(String kind, JSON body) {
    return new Telling(kind, body, System.nanoTime(), Optional.empty());
  }

  static Telling progress(short percent, String note) {
    var progress = new Progress(percent, note);
    return new Telling(
        "progress", Json.write("progress", progress), System.nanoTime(), Optional.of(progress));
  }

  /** Returns the event for a requested cancellation. */
  static Telling cancelRequested() {
    return event(CANCEL_REQUESTED, NOTHING);
  }

  /** Returns the event that announces that later events are dropped. */
  static Telling dropped() {
    return event("events_dropped", NOTHING);
  }

  boolean isProgress() {
    return progress.isPresent();
  }
}
