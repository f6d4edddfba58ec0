package io.leasehold.rest.program;

import io.leasehold.engine.EngineHealth;
import io.leasehold.engine.EngineHealth.Phase;
import io.leasehold.engine.EngineHealth.Status;
import io.leasehold.engine.JobEngine;
import io.leasehold.rest.RestHealth;
import jakarta.inject.Inject;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Reports the health that the engine observes: of the database, the listener and the worker. */
final class EngineReport implements RestHealth {

  private final JobEngine engine;

  @Inject
  EngineReport(JobEngine engine) {
    this.engine = engine;
  }

  @Override
  public Report report() {
    var health = engine.health();
    return new Report(
        health.worker().phase() != Phase.BROKEN, health.status() != Status.DOWN, parts(health));
  }

  private static Map<String, String> parts(EngineHealth health) {
    var parts = new HashMap<String, String>();
    parts.put("database", word(health.database().status()));
    parts.put("listener", listener(health.listener()));
    parts.put("worker", worker(health.worker()));
    health
        .database()
        .clockWentBackBy()
        .ifPresent(by -> parts.put("clock", "went back by %d s".formatted(by.toSeconds())));
    return parts;
  }

  private static String worker(EngineHealth.Worker worker) {
    return worker.phase() == Phase.ABSENT ? "absent" : word(worker.status());
  }

  private static String listener(EngineHealth.Listener listener) {
    return listener.on() ? word(listener.status()) : "off";
  }

  private static String word(Status status) {
    return status.name().toLowerCase(Locale.ROOT);
  }
}
