package io.leasehold.engine.work.claim;

import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.jobs.HandlerId;
import java.time.Duration;
import java.util.Set;

/**
 * The worker that claims, and its terms.
 *
 * @param worker the worker that takes the leases
 * @param queue the queue to claim from
 * @param lease how long a lease is valid unless it is renewed
 * @param failing the handlers whose jobs fail when their worker is lost during the last attempt
 * @param adopting the handlers whose jobs are adopted by another worker when their worker is lost
 */
public record Claimant(
    WorkerId worker,
    String queue,
    Duration lease,
    Set<HandlerId> failing,
    Set<HandlerId> adopting) {

  public Claimant {
    failing = Set.copyOf(failing);
    adopting = Set.copyOf(adopting);
  }
}
