package io.leasehold.engine.service.queues;

import io.leasehold.db.EngineWork;
import io.leasehold.db.Transactions;
import io.leasehold.engine.JobQueues;
import io.leasehold.engine.signal.wakeup.WakeWorker;
import io.leasehold.jobs.TenantId;
import jakarta.inject.Inject;
import java.util.List;

/**
 * The queues that all processes share. Each change is stored first, and then announced to all
 * workers.
 */
public final class SharedQueues implements JobQueues {

  private static final int WEIGHT_MAX = 100;

  private final Transactions transactions;
  private final WakeWorker wake;

  @Inject
  SharedQueues(Transactions transactions, WakeWorker wake) {
    this.transactions = transactions;
    this.wake = wake;
  }

  @Override
  public void pause(String queue, String by) {
    change(queue, tx -> PauseQueue.pause(tx, queue, by));
  }

  @Override
  public void resume(String queue) {
    change(queue, tx -> PauseQueue.resume(tx, queue));
  }

  @Override
  public void pause(String queue, TenantId tenant, String by) {
    change(queue, tx -> PauseTenant.pause(tx, queue, tenant, by));
  }

  @Override
  public void resume(String queue, TenantId tenant) {
    change(queue, tx -> PauseTenant.resume(tx, queue, tenant));
  }

  @Override
  public void weigh(String queue, TenantId tenant, int weight) {
    if (weight < 1 || weight > WEIGHT_MAX) {
      throw new IllegalArgumentException(
          "weight must be 1 to %d, not %d".formatted(WEIGHT_MAX, weight));
    }
    change(queue, tx -> WeighTenant.weigh(tx, queue, tenant, (short) weight));
  }

  @Override
  public List<Setting> settings() {
    return transactions.asEngine(ListSettings::list);
  }

  private void change(String queue, EngineWork<Integer, RuntimeException> work) {
    transactions.asEngine(work);
    wake.queueChanged(queue);
  }
}
