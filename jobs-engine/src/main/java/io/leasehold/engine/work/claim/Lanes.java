package io.leasehold.engine.work.claim;

import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.engine.kernel.IdOrder;
import io.leasehold.engine.metrics.ClaimMeters;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Claims a queue's jobs, with tenants taking turns.
 *
 * <p>Remembers where the last claim in each lane ended and begins there, so that rows claimed
 * earlier are not scanned again. A claim can therefore miss jobs that were committed late or given
 * back, have a higher priority or belong to a new tenant. The next refresh of the lanes finds them.
 * Lanes are refreshed often enough to use up to a tenth of the time, and at least once a second. A
 * pause may therefore go unnoticed for one second. Not thread-safe, except for {@link #lookAgain}.
 */
public final class Lanes {

  private static final int LANES_MAX = 1_000;
  private static final int TENTH = 10;
  private static final Duration LOOK_AT_LEAST = Duration.ofSeconds(1);
  private static final TransactionOptions ONE = TransactionOptions.defaults().asOneStatement();

  private final Transactions transactions;
  private final Claimant claimant;
  private final ClaimMeters meters;

  private final Turns turns = new Turns();
  private List<Lane> lanes = List.of();

  /** The tenant after which the next refresh begins; if empty, with the first one. */
  private Optional<TenantId> lastFound = Optional.empty();

  private long lookAt = System.nanoTime();
  private volatile boolean outdated;

  public Lanes(Transactions transactions, Claimant claimant, ClaimMeters meters) {
    this.transactions = transactions;
    this.claimant = claimant;
    this.meters = meters;
  }

  /**
   * The result of a claim.
   *
   * @param jobs the claimed jobs, at most {@code room}
   * @param more whether another claim may return more jobs immediately
   */
  public record Claimed(List<ClaimedJob> jobs, boolean more) {}

  /** Returns the queue that the lanes belong to. */
  public String queue() {
    return claimant.queue();
  }

  /** Makes the next claim refresh the lanes, because the claimable jobs have changed. */
  public void lookAgain() {
    outdated = true;
  }

  /**
   * Claims up to {@code room} jobs. Each refresh of the lanes first adopts jobs that lost their
   * worker and can continue: those jobs count as running, so a pause does not affect them.
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

  private void look() {
    outdated = false; // Reset before reading: a change made meanwhile causes another refresh.
    var begin = System.nanoTime();
    lanes = find();
    lastFound = lanes.size() < LANES_MAX ? Optional.empty() : Optional.of(lanes.getLast().tenant());
    var end = System.nanoTime();
    lookAt = end + Math.min((end - begin) * TENTH, LOOK_AT_LEAST.toNanos());
  }

  // If the queue has more lanes than one refresh finds, the next one continues after the last
  // tenant and, at the end of the lanes, with the first. So every tenant is found within a few
  // refreshes.
  private List<Lane> find() {
    var found = new ArrayList<>(find(lastFound, LANES_MAX));
    if (lastFound.isPresent() && found.size() < LANES_MAX) {
      var last = lastFound.get().value();
      find(Optional.empty(), LANES_MAX - found.size()).stream()
          .filter(lane -> IdOrder.UNSIGNED.compare(lane.tenant().value(), last) <= 0)
          .forEach(found::add);
    }
    return List.copyOf(found);
  }

  private List<Lane> find(Optional<TenantId> after, int limit) {
    return transactions.asEngine(ONE, tx -> FindLanes.find(tx, claimant.queue(), after, limit));
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
