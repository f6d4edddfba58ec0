package io.leasehold.engine.maintenance.fleet;

import static io.leasehold.db.schema.Tables.WORKER;
import static org.jooq.impl.DSL.currentOffsetDateTime;

import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.jobs.HandlerId;
import org.jooq.DSLContext;

/** Writes a worker's heartbeat and load. The first heartbeat adds the worker to the registry. */
final class RegisterWorker {

  private RegisterWorker() {}

  static void register(DSLContext tx, WorkerId worker, Registration registration, int running) {
    tx.insertInto(WORKER)
        .set(WORKER.ID, worker.value())
        .set(WORKER.NAME, registration.name())
        .set(WORKER.VERSION, registration.version())
        .set(WORKER.QUEUES, registration.slots().keySet().toArray(String[]::new))
        .set(WORKER.SLOTS, registration.slots().values().toArray(Integer[]::new))
        .set(WORKER.HANDLERS, handlers(registration))
        .set(WORKER.CAPACITY, registration.capacity())
        .set(WORKER.RUNNING, running)
        .set(WORKER.STARTED_AT, currentOffsetDateTime())
        .set(WORKER.SEEN_AT, currentOffsetDateTime())
        .onConflict(WORKER.ID)
        .doUpdate()
        .set(WORKER.SEEN_AT, currentOffsetDateTime())
        .set(WORKER.RUNNING, running)
        .set(WORKER.STALE, false)
        .execute();
  }

  private static String[] handlers(Registration registration) {
    return registration.handlers().keySet().stream()
        .map(HandlerId::value)
        .sorted()
        .toArray(String[]::new);
  }
}
