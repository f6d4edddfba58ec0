package io.leasehold.engine;

import io.leasehold.jobs.TenantId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What is taken from queues, and whose: for the platform team's own programs, and not for tenants,
 * since it reaches all of them. Safe to share between threads.
 *
 * <p>A pause keeps workers from taking more jobs, within a second; what runs goes on, and jobs are
 * submitted, scheduled and cancelled as ever. It holds for all processes and outlives them. A queue
 * is its name: it need not have been used before.
 *
 * <p>A name that no queue can have, and an empty {@code by}, are refused with {@link
 * io.leasehold.jobs.ErrorCode#VALUE_REFUSED}.
 */
public interface JobQueues {

  /**
   * Has nothing taken from a queue. Repeated, it changes nothing.
   *
   * @param by who says so, for others to read: at most 255 characters
   */
  void pause(String queue, String by);

  /** Has jobs taken from a queue again, at once. Tenants that are paused in it stay so. */
  void resume(String queue);

  /** Has nothing of a tenant taken from a queue. */
  void pause(String queue, TenantId tenant, String by);

  /** Has a tenant's jobs taken from a queue again, at once. */
  void resume(String queue, TenantId tenant);

  /**
   * Gives a tenant so many turns in a queue where others get one.
   *
   * @param weight 1 to 100; 1 is what all have unless told
   */
  void weigh(String queue, TenantId tenant, int weight);

  /** All that is not as by default, in the order of queues and, in one, of tenants. */
  List<Setting> settings();

  /**
   * What holds for a queue, or for a tenant in one.
   *
   * @param queue which
   * @param tenant only for this one; empty for the queue as a whole
   * @param pause if nothing is taken
   * @param weight how many turns; 1 for the queue as a whole
   */
  record Setting(String queue, Optional<TenantId> tenant, Optional<Pause> pause, int weight) {}

  /**
   * That nothing is taken.
   *
   * @param at since when
   * @param by who said so
   */
  record Pause(Instant at, String by) {}
}
