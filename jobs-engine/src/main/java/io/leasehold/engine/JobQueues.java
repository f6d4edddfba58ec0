package io.leasehold.engine;

import io.leasehold.jobs.TenantId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Pauses queues, and tenants in queues, and sets the weights of tenants. This interface is for
 * programs of the platform team and not for tenants, because it affects all tenants. Safe to share
 * between threads.
 *
 * <p>Within a second of a pause, workers stop claiming jobs. Running jobs continue, and jobs are
 * submitted, scheduled and cancelled as usual. A pause applies to all processes and survives
 * restarts. A queue is identified by its name only, and need not have been used before.
 *
 * <p>A name that is not valid for a queue and an empty {@code by} are refused with {@link
 * io.leasehold.jobs.ErrorCode#VALUE_REFUSED}.
 */
public interface JobQueues {

  /**
   * Pauses a queue. A repeated call changes nothing.
   *
   * @param by who requested the pause, for others to read: at most 255 characters
   */
  void pause(String queue, String by);

  /** Resumes a queue at once. Tenants paused in this queue stay paused. */
  void resume(String queue);

  /** Pauses a tenant in a queue. */
  void pause(String queue, TenantId tenant, String by);

  /** Resumes a tenant in a queue at once. */
  void resume(String queue, TenantId tenant);

  /**
   * Sets the weight of a tenant in a queue: the number of turns it gets for each turn of a tenant
   * with weight one.
   *
   * @param weight 1 to 100; the default of every tenant is 1
   */
  void weigh(String queue, TenantId tenant, int weight);

  /** Lists all settings that differ from the defaults, ordered by queue and then by tenant. */
  List<Setting> settings();

  /**
   * A setting of a queue, or of a tenant in a queue.
   *
   * @param queue the name of the queue
   * @param tenant the tenant; empty for the whole queue
   * @param pause the pause, if the queue or the tenant is paused
   * @param weight the weight of the tenant; 1 for the whole queue
   */
  record Setting(String queue, Optional<TenantId> tenant, Optional<Pause> pause, int weight) {}

  /**
   * A pause of a queue or a tenant.
   *
   * @param at when the pause started
   * @param by who requested the pause
   */
  record Pause(Instant at, String by) {}
}
