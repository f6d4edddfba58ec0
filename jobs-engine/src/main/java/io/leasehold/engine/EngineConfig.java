package io.leasehold.engine;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * How a process works on jobs. Immutable; each method returns a changed copy.
 *
 * @param workerName what people call this worker; default {@code pid} and the process's id
 * @param mode whether jobs wait for workers or run where they are submitted; default {@link
 *     Mode#WORKERS}
 * @param roles what this process does for the queue; default all of it. Without any it submits,
 *     reads, cancels and retries, and listens for what others tell
 * @param concurrency how many jobs of a queue run here at once; default 50
 * @param concurrencyOf the same for single queues
 * @param directConcurrency how many jobs run here at once in direct mode, whatever their queues;
 *     default 50
 * @param memoryConcurrency how many jobs in memory run here at once; default 50
 * @param memoryCapacity how many jobs in memory there are here at most, waiting and running, of all
 *     kinds together; default 10,000
 * @param memoryKept how long a job in memory can be looked up after its end; default 10 minutes
 * @param lease how long a job is this worker's without a sign of life; default 60 s
 * @param rescueEvery how often leases that are over are looked for; default 15 s
 * @param staleAfter how long a worker's heartbeat may be missing before the worker is stale;
 *     default the lease
 * @param pollEvery how long a queue goes without a look when nobody tells of new jobs; default 1 s
 * @param watchEvery how long who watches a job is not called when nobody tells of a change; default
 *     15 s
 * @param cancelGrace how long a cancelled job may go on before its thread is interrupted; default
 *     10 s
 * @param writesPerSecond how often what a running job tells is written at most; default 10
 * @param eventsMost how many events a job has at most; default 10,000
 * @param daysAhead how many days of partitions there are ahead; default 7
 * @param retention how long a job is kept after its end, at least a day; default 14 days
 * @param outputs where files of jobs are kept; default nowhere
 */
public record EngineConfig(
    String workerName,
    Mode mode,
    Set<Role> roles,
    int concurrency,
    Map<String, Integer> concurrencyOf,
    int directConcurrency,
    int memoryConcurrency,
    int memoryCapacity,
    Duration memoryKept,
    Duration lease,
    Duration rescueEvery,
    Optional<Duration> staleAfter,
    Duration pollEvery,
    Duration watchEvery,
    Duration cancelGrace,
    int writesPerSecond,
    int eventsMost,
    int daysAhead,
    Duration retention,
    OutputConfig outputs) {

  private static final int CONCURRENCY_MAX = 100_000;

  /** Where submitted jobs run. */
  public enum Mode {
    /** They wait in their queue for a worker, of this or another process. */
    WORKERS,
    /** In the process that takes them, at once, or they are refused. */
    DIRECT,
    /**
     * On the thread that submits them, right after its commit: for tests. What is due later runs
     * when {@link DueJobs} is asked.
     */
    INLINE
  }

  /** What a process does for the queue. */
  public enum Role {
    /** Claims and runs jobs, and is in the registry of workers. */
    WORKER,
    /** Rescues, moves what is due, makes and drops partitions, and measures, for all processes. */
    MAINTENANCE
  }

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException if one does not hold
   */
  public EngineConfig {
    roles = Set.copyOf(roles);
    if (mode == Mode.DIRECT && !roles.contains(Role.WORKER)) {
      throw new IllegalArgumentException(
          "roles must have WORKER in mode DIRECT, where jobs run in the process that takes them");
    }
    concurrencyOf = Map.copyOf(concurrencyOf);
    requireBetween("concurrency", concurrency, 1, CONCURRENCY_MAX);
    concurrencyOf
        .values()
        .forEach(value -> requireBetween("concurrency", value, 1, CONCURRENCY_MAX));
    requireBetween("directConcurrency", directConcurrency, 1, CONCURRENCY_MAX);
    requireBetween("memoryConcurrency", memoryConcurrency, 1, CONCURRENCY_MAX);
    requireBetween("memoryCapacity", memoryCapacity, 1, 10_000_000);
    requireBetween("memoryKept", memoryKept, Duration.ZERO, Duration.ofDays(1));
    requireBetween("lease", lease, Duration.ofSeconds(1), Duration.ofHours(1));
    requireBetween("rescueEvery", rescueEvery, Duration.ofMillis(100), Duration.ofHours(1));
    staleAfter.ifPresent(
        value -> requireBetween("staleAfter", value, Duration.ofSeconds(1), Duration.ofHours(1)));
    requireBetween("pollEvery", pollEvery, Duration.ofMillis(10), Duration.ofMinutes(1));
    requireBetween("watchEvery", watchEvery, Duration.ofMillis(100), Duration.ofHours(1));
    requireBetween("cancelGrace", cancelGrace, Duration.ZERO, Duration.ofHours(1));
    requireBetween("writesPerSecond", writesPerSecond, 1, 1_000);
    requireBetween("eventsMost", eventsMost, 0, 1_000_000);
    requireBetween("daysAhead", daysAhead, 1, 366);
    requireBetween("retention", retention, Duration.ofHours(24), Duration.ofDays(3_650));
  }

  /** The defaults. */
  public static EngineConfig defaults() {
    return new Draft().config();
  }

  /** What people call this worker. */
  public EngineConfig workerName(String workerName) {
    return but(its -> its.workerName = workerName);
  }

  /** Whether jobs wait for workers or run where they are submitted. */
  public EngineConfig mode(Mode mode) {
    return but(its -> its.mode = mode);
  }

  /** What this process does for the queue; nothing is a choice, too. */
  public EngineConfig roles(Set<Role> roles) {
    return but(its -> its.roles = roles);
  }

  /** How many jobs of a queue run here at once: 1 to 100,000. */
  public EngineConfig concurrency(int concurrency) {
    return but(its -> its.concurrency = concurrency);
  }

  /** How many jobs of single queues run here at once: 1 to 100,000. */
  public EngineConfig concurrencyOf(Map<String, Integer> concurrencyOf) {
    return but(its -> its.concurrencyOf = concurrencyOf);
  }

  /** How many jobs run here at once in direct mode: 1 to 100,000. */
  public EngineConfig directConcurrency(int directConcurrency) {
    return but(its -> its.directConcurrency = directConcurrency);
  }

  /** How many jobs in memory run here at once: 1 to 100,000. */
  public EngineConfig memoryConcurrency(int memoryConcurrency) {
    return but(its -> its.memoryConcurrency = memoryConcurrency);
  }

  /** How many jobs in memory there are here at most: 1 to 10,000,000. */
  public EngineConfig memoryCapacity(int memoryCapacity) {
    return but(its -> its.memoryCapacity = memoryCapacity);
  }

  /** How long a job in memory can be looked up after its end: up to a day. */
  public EngineConfig memoryKept(Duration memoryKept) {
    return but(its -> its.memoryKept = memoryKept);
  }

  /** How long a job is this worker's without a sign of life: 1 s to an hour. */
  public EngineConfig lease(Duration lease) {
    return but(its -> its.lease = lease);
  }

  /** How often leases that are over are looked for: 100 ms to an hour. */
  public EngineConfig rescueEvery(Duration rescueEvery) {
    return but(its -> its.rescueEvery = rescueEvery);
  }

  /** How long a worker's heartbeat may be missing before the worker is stale: 1 s to an hour. */
  public EngineConfig staleAfter(Duration staleAfter) {
    return but(draft -> draft.staleAfter = Optional.of(staleAfter));
  }

  /** How long a queue goes without a look when nobody tells of new jobs: 10 ms to a minute. */
  public EngineConfig pollEvery(Duration pollEvery) {
    return but(its -> its.pollEvery = pollEvery);
  }

  /** How often who watches a job is called though nobody tells of a change: 100 ms to an hour. */
  public EngineConfig watchEvery(Duration watchEvery) {
    return but(its -> its.watchEvery = watchEvery);
  }

  /** How long a cancelled job may go on before its thread is interrupted: up to an hour. */
  public EngineConfig cancelGrace(Duration cancelGrace) {
    return but(its -> its.cancelGrace = cancelGrace);
  }

  /** How often what a running job tells is written at most: 1 to 1,000 times a second. */
  public EngineConfig writesPerSecond(int writesPerSecond) {
    return but(its -> its.writesPerSecond = writesPerSecond);
  }

  /** How many events a job has at most: up to 1,000,000. */
  public EngineConfig eventsMost(int eventsMost) {
    return but(its -> its.eventsMost = eventsMost);
  }

  /** How many days of partitions there are ahead: 1 to 366. */
  public EngineConfig daysAhead(int daysAhead) {
    return but(its -> its.daysAhead = daysAhead);
  }

  /** How long a job is kept after its end: a day to ten years. */
  public EngineConfig retention(Duration retention) {
    return but(its -> its.retention = retention);
  }

  /** Where files of jobs are kept. */
  public EngineConfig outputs(OutputConfig outputs) {
    return but(its -> its.outputs = outputs);
  }

  int concurrencyOf(String queue) {
    return concurrencyOf.getOrDefault(queue, concurrency);
  }

  Duration staleAfterOrLease() {
    return staleAfter.orElse(lease);
  }

  private static void requireBetween(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "%s must be %d to %d, not %d".formatted(name, least, most, value));
    }
  }

  private static void requireBetween(String name, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "%s must be %s to %s, not %s".formatted(name, least, most, value));
    }
  }

  private EngineConfig but(Consumer<Draft> change) {
    var draft = new Draft(this);
    change.accept(draft);
    return draft.config();
  }

  /** A configuration that is being made. */
  private static final class Draft {

    private String workerName = "pid " + ProcessHandle.current().pid();
    private Mode mode = Mode.WORKERS;
    private Set<Role> roles = EnumSet.allOf(Role.class);
    private int concurrency = 50;
    private Map<String, Integer> concurrencyOf = Map.of();
    private int directConcurrency = 50;
    private int memoryConcurrency = 50;
    private int memoryCapacity = 10_000;
    private Duration memoryKept = Duration.ofMinutes(10);
    private Duration lease = Duration.ofSeconds(60);
    private Duration rescueEvery = Duration.ofSeconds(15);
    private Optional<Duration> staleAfter = Optional.empty();
    private Duration pollEvery = Duration.ofSeconds(1);
    private Duration watchEvery = Duration.ofSeconds(15);
    private Duration cancelGrace = Duration.ofSeconds(10);
    private int writesPerSecond = 10;
    private int eventsMost = 10_000;
    private int daysAhead = 7;
    private Duration retention = Duration.ofDays(14);
    private OutputConfig outputs = OutputConfig.defaults();

    private Draft() {}

    private Draft(EngineConfig its) {
      workerName = its.workerName;
      mode = its.mode;
      roles = its.roles;
      concurrency = its.concurrency;
      concurrencyOf = its.concurrencyOf;
      directConcurrency = its.directConcurrency;
      memoryConcurrency = its.memoryConcurrency;
      memoryCapacity = its.memoryCapacity;
      memoryKept = its.memoryKept;
      lease = its.lease;
      rescueEvery = its.rescueEvery;
      staleAfter = its.staleAfter;
      pollEvery = its.pollEvery;
      watchEvery = its.watchEvery;
      cancelGrace = its.cancelGrace;
      writesPerSecond = its.writesPerSecond;
      eventsMost = its.eventsMost;
      daysAhead = its.daysAhead;
      retention = its.retention;
      outputs = its.outputs;
    }

    private EngineConfig config() {
      return new EngineConfig(
          workerName,
          mode,
          roles,
          concurrency,
          concurrencyOf,
          directConcurrency,
          memoryConcurrency,
          memoryCapacity,
          memoryKept,
          lease,
          rescueEvery,
          staleAfter,
          pollEvery,
          watchEvery,
          cancelGrace,
          writesPerSecond,
          eventsMost,
          daysAhead,
          retention,
          outputs);
    }
  }
}
