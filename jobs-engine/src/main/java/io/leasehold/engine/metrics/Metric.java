package io.leasehold.engine.metrics;

/** All metrics. {@code docs/operate/metrics.md} has one line for each, in the same words. */
enum Metric {
  SUBMITTED("leasehold.jobs.submitted", Kind.COUNTER, "handler"),
  WAIT("leasehold.jobs.wait", Kind.TIMER, "queue"),
  RUN("leasehold.attempts.run", Kind.TIMER, "handler", "outcome"),
  ENDED("leasehold.attempts.ended", Kind.COUNTER, "handler", "outcome"),
  CLAIM_TIME("leasehold.claims.time", Kind.TIMER, "queue"),
  CLAIM_JOBS("leasehold.claims.jobs", Kind.SUMMARY, "queue"),
  FLUSH_TIME("leasehold.flushes.time", Kind.TIMER),
  FLUSH_JOBS("leasehold.flushes.jobs", Kind.SUMMARY),
  RENEWALS_FAILED("leasehold.leases.renewals.failed", Kind.COUNTER),
  LEASES_LOST("leasehold.leases.lost", Kind.COUNTER),
  RESCUED("leasehold.leases.rescued", Kind.COUNTER, "action"),
  ADOPTED("leasehold.leases.adopted", Kind.COUNTER, "queue"),
  SLOTS("leasehold.slots", Kind.GAUGE, "queue"),
  SLOTS_BUSY("leasehold.slots.busy", Kind.GAUGE, "queue"),
  SLOTS_STUCK("leasehold.slots.stuck", Kind.GAUGE),
  LISTENER_SILENCE("leasehold.listener.silence", Kind.GAUGE),
  QUEUE_DEPTH("leasehold.queue.depth", Kind.GAUGE, "queue"),
  QUEUE_AGE("leasehold.queue.age", Kind.GAUGE, "queue"),
  OVERDUE("leasehold.scheduled.overdue", Kind.GAUGE),
  NOTES_OVERDUE("leasehold.dependents.overdue", Kind.GAUGE),
  SCHEDULE_LATENESS("leasehold.schedules.lateness", Kind.TIMER),
  SCHEDULES_ASIDE("leasehold.schedules.aside", Kind.COUNTER),
  MIRRORS_BEHIND("leasehold.mirrors.behind", Kind.COUNTER, "reason");

  /** How single values are aggregated. */
  enum Kind {
    COUNTER,
    TIMER,
    SUMMARY,
    GAUGE
  }

  private final String meter;
  private final Kind kind;
  private final String tags;

  Metric(String meter, Kind kind, String... tags) {
    this.meter = meter;
    this.kind = kind;
    this.tags = String.join(", ", tags);
  }

  /** Returns the name, with dots between its words. */
  String meter() {
    return meter;
  }

  Kind kind() {
    return kind;
  }

  /** Returns the keys of the tags, separated by commas. */
  String tags() {
    return tags;
  }
}
