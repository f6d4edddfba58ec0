package io.leasehold.engine.work.events;

import io.leasehold.engine.service.values.Json;
import java.util.Optional;
import org.jooq.JSON;

/**
 * Something that an attempt tells.
 *
 * @param kind what it is
 * @param body what there is to say about it
 * @param toldAt when, by the process's clock
 * @param progress how far the work is, if that is what it tells
 */
record Telling(String kind, JSON body, long toldAt, Optional<Progress> progress) {

  static final String CANCEL_REQUESTED = "cancel_requested";

  private static final JSON NOTHING = JSON.json("{}");

  /** How far the work is. */
  record Progress(short percent, String note) {}

  static Telling event(String kind, JSON body) {
    return new Telling(kind, body, System.nanoTime(), Optional.empty());
  }

  static Telling progress(short percent, String note) {
    var progress = new Progress(percent, note);
    return new Telling(
        "progress", Json.write("progress", progress), System.nanoTime(), Optional.of(progress));
  }

  /** Somebody asked for the job's end. */
  static Telling cancelRequested() {
    return event(CANCEL_REQUESTED, NOTHING);
  }

  /** What is told from now on is dropped. */
  static Telling dropped() {
    return event("events_dropped", NOTHING);
  }

  boolean isProgress() {
    return progress.isPresent();
  }
}
