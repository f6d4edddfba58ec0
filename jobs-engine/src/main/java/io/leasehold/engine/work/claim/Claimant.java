package io.leasehold.engine.work.claim;

import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.jobs.HandlerId;
import java.time.Duration;
import java.util.Set;

/**
 * Who claims, and on what terms.
 *
 * @param worker who takes the leases
 * @param queue where from
 * @param lease how long each is good for, until it is renewed
 * @param failing the handlers whose jobs end when their worker is lost at the last attempt
 * @param adopting the handlers whose jobs go on when their worker is lost
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
