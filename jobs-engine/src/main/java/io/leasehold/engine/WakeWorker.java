package io.leasehold.engine;

import io.leasehold.engine.run.Worker;
import io.leasehold.engine.submit.WakeUps;
import jakarta.inject.Inject;

/** Wakes the worker of this process. */
final class WakeWorker implements WakeUps {

  private final Worker worker;

  @Inject
  WakeWorker(Worker worker) {
    this.worker = worker;
  }

  @Override
  public void jobsIn(String queue) {
    worker.ring(queue);
  }

  @Override
  public void cancellations() {
    worker.lookForCancelled();
  }
}
