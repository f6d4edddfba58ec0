package io.leasehold.engine.work.claim;

import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.engine.metrics.ClaimMeters;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Claims a queue's jobs, tenants in turn.
 *
 * <p>Remembers where in each lane the last claim ended and begins there, so that what was claimed
 * before is not stepped over again. What a claim misses by that (committed late, given back, of a
 * higher priority, of a new tenant) is found with the next look at where lanes begin. That look is
 * taken as often as it is cheap: it costs a tenth of the time, and there is one every second at
 * least, which is how long a pause may go unnoticed. For one thread, but for {@link #lookAgain}.
 */
public final class Lanes {

  private static final int LANES_MAX = 1_000;
  private static final int TENTH = 10;
  private static final Duration LOOK_AT_LEAST = Duration.ofSeconds(1);
  private static final TransactionOptions ONE = TransactionOptions.defaults().asOneStatement();
  private static final TenantId FIRST = new TenantId(new UUID(0, 0));

  private final Transactions transactions;
  private final Claimant claimant;
  private final ClaimMeters meters;

  private final Turns turns = new Turns();
  private List<Lane> lanes = List.of();
  private TenantId lastFound = FIRST;
  private long lookAt = System.nanoTime();
  private volatile boolean outdated;

  public Lanes(Transactions transactions, Claimant claimant, ClaimMeters meters) {
    this.transactions = transactions;
    this.claimant = claimant;
    this.meters = meters;
  }

  /**
   * What a claim brought.
   *
   * @param jobs at most as many as there was room for
   * @param more whether another claim may bring more at once
   */
  public record Claimed(List<ClaimedJob> jobs, boolean more) {}

  /** Has the next claim look anew: what may be claimed has changed. */
  public void lookAgain() {
    outdated = true;
  }

  /**
   * Takes leases of as many jobs as there is room for. With each look at the lanes, those first
   * that have lost their workers and go on: they are running, whatever is paused.
   */
  public Claimed claim(int room) {
    var looked = outdated || lanes.isEmpty() || System.nanoTime() - lookAt >= 0;
    if (looked) {
      var adopted = adopt(room);
      if (!adopted.isEmpty()) {
        return new Claimed(adopted, true);
      }
      look();
    }
    if (lanes.isEmpty()) {
      turns.clear();
      return new Claimed(List.of(), false);
    }
    var dealt = turns.of(lanes, room);
    var jobs = claim(dealt, room);
    advance(dealt, jobs, room);
    return new Claimed(jobs, !(looked && lanes.isEmpty()));
  }

  private List<ClaimedJob> adopt(int room) {
    if (claimant.adopting().isEmpty()) {
      return List.of();
    }
    var jobs = transactions.asEngine(ONE, tx -> AdoptJobs.adopt(tx, claimant, room));
    meters.adopted(jobs.size());
    return jobs;
  }

  private List<ClaimedJob> claim(List<Turn> dealt, int room) {
    var begin = System.nanoTime();
    var jobs =
        transactions.asEngine(
            ONE, tx -> ClaimJobs.claim(tx, claimant, dealt, room, meters::waited));
    meters.claimed(jobs.size(), System.nanoTime() - begin);
    return jobs;
  }

  // With more lanes than a look finds, the next one goes on where this one ended.
  private void look() {
    outdated = false; // Before it is read: what changes meanwhile is looked for again.
    var begin = System.nanoTime();
    var found = find(lastFound);
    if (found.size() < LANES_MAX && !lastFound.equals(FIRST)) {
      found = find(FIRST);
    }
    lastFound = found.size() < LANES_MAX ? FIRST : found.getLast().tenant();
    lanes = found;
    var end = System.nanoTime();
    lookAt = end + Math.min((end - begin) * TENTH, LOOK_AT_LEAST.toNanos());
  }

  private List<Lane> find(TenantId after) {
    return transactions.asEngine(ONE, tx -> FindLanes.find(tx, claimant.queue(), after, LANES_MAX));
  }

  private void advance(List<Turn> dealt, List<ClaimedJob> jobs, int room) {
    Map<LaneKey, List<JobId>> taken = new HashMap<>();
    for (var job : jobs) {
      taken
          .computeIfAbsent(new LaneKey(job.tenant(), job.priority()), _ -> new ArrayList<>())
          .add(job.id());
    }
    var isFull = jobs.size() == room;
    var exhausted = new HashSet<LaneKey>();
    for (var turn : dealt) {
      var key = LaneKey.of(turn.lane());
      var jobsOfLane = taken.getOrDefault(key, List.of());
      turns.took(turn, jobsOfLane.size());
      if (jobsOfLane.size() < turn.share() && !isFull) {
        exhausted.add(key);
      }
    }
    lanes =
        lanes.stream()
            .filter(lane -> !exhausted.contains(LaneKey.of(lane)))
            .map(lane -> lane.behind(taken.getOrDefault(LaneKey.of(lane), List.of())))
            .toList();
  }

  private record LaneKey(TenantId tenant, int priority) {
    static LaneKey of(Lane lane) {
      return new LaneKey(lane.tenant(), lane.priority());
    }
  }
}
