package io.leasehold.engine;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Configures how a process works on jobs. Immutable; each method returns a modified copy.
 *
 * @param workerName the name of this worker, for people; default {@code pid} and the process id
 * @param mode whether jobs wait for workers or run where they are submitted; default {@link
 *     Mode#WORKERS}
 * @param roles the tasks of this process for the queue; default all. A process without roles
 *     submits, reads, cancels and retries jobs, and listens for notifications from other processes
 * @param concurrency the maximum number of concurrent jobs per queue in this process; default 50
 * @param concurrencyOf overrides of {@code concurrency} for individual queues
 * @param directConcurrency the maximum number of concurrent jobs in direct mode in this process,
 *     across all queues; default 50
 * @param memoryConcurrency the maximum number of concurrent in-memory jobs in this process; default
 *     50
 * @param memoryCapacity the maximum number of in-memory jobs in this process, waiting and running,
 *     of all types together; default 10,000
 * @param memoryKept how long a finished in-memory job can be looked up; default 10 minutes
 * @param lease how long this worker holds a job without renewing its lease; default 60 s
 * @param rescueEvery the interval between searches for expired leases; default 15 s
 * @param staleAfter how long a worker's heartbeat may be missing before the worker is stale;
 *     default the lease
 * @param pollEvery the poll interval of a queue, used when no notification of new jobs arrives;
 *     default 1 s
 * @param watchEvery the poll interval of job watchers, used when no notification of a change
 *     arrives; default 15 s
 * @param cancelGrace how long a cancelled job may continue before its thread is interrupted;
 *     default 10 s
 * @param writesPerSecond the maximum number of writes per second for the reports of a running job;
 *     default 10
 * @param eventsMost the maximum number of events of a job; default 10,000
 * @param daysAhead how many days ahead partitions are created; default 7
 * @param retention how long a finished job is kept, at least a day; default 14 days
 * @param outputs where job files are stored; default nowhere
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
    /** Jobs wait in their queue for a worker, of this or another process. */
    WORKERS,
    /** Jobs run at once in the process that accepts them, or are refused. */
    DIRECT,
    /**
     * Jobs run on the submitting thread, right after the commit: for tests. Jobs that are due later
     * run when {@link DueJobs} is called.
     */
    INLINE
  }

  /** A task of a process for the queue. */
  public enum Role {
    /** Claims and runs jobs, and appears in the worker registry. */
    WORKER,
    /**
     * Performs maintenance for all processes: rescues jobs, enqueues due jobs, creates and drops
     * partitions, and collects metrics.
     */
    MAINTENANCE
  }

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException if a value is out of bounds
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

  /** Returns the default configuration. */
  public static EngineConfig defaults() {
    return new Draft().config();
  }

  /** Sets the name of this worker, for people. */
  public EngineConfig workerName(String workerName) {
    return but(draft -> draft.workerName = workerName);
  }

  /** Sets whether jobs wait for workers or run where they are submitted. */
  public EngineConfig mode(Mode mode) {
    return but(draft -> draft.mode = mode);
  }

  /** Sets the tasks of this process for the queue; an empty set is allowed. */
  public EngineConfig roles(Set<Role> roles) {
    return but(draft -> draft.roles = roles);
  }

  /** Sets the maximum number of concurrent jobs per queue in this process: 1 to 100,000. */
  public EngineConfig concurrency(int concurrency) {
    return but(draft -> draft.concurrency = concurrency);
  }

  /**
   * Sets the maximum number of concurrent jobs of individual queues in this process: 1 to 100,000.
   */
  public EngineConfig concurrencyOf(Map<String, Integer> concurrencyOf) {
    return but(draft -> draft.concurrencyOf = concurrencyOf);
  }

  /** Sets the maximum number of concurrent jobs in direct mode in this process: 1 to 100,000. */
  public EngineConfig directConcurrency(int directConcurrency) {
    return but(draft -> draft.directConcurrency = directConcurrency);
  }

  /** Sets the maximum number of concurrent in-memory jobs in this process: 1 to 100,000. */
  public EngineConfig memoryConcurrency(int memoryConcurrency) {
    return but(draft -> draft.memoryConcurrency = memoryConcurrency);
  }

  /** Sets the maximum number of in-memory jobs in this process: 1 to 10,000,000. */
  public EngineConfig memoryCapacity(int memoryCapacity) {
    return but(draft -> draft.memoryCapacity = memoryCapacity);
  }

  /** Sets how long a finished in-memory job can be looked up: up to a day. */
  public EngineConfig memoryKept(Duration memoryKept) {
    return but(draft -> draft.memoryKept = memoryKept);
  }

  /** Sets how long this worker holds a job without renewing its lease: 1 s to an hour. */
  public EngineConfig lease(Duration lease) {
    return but(draft -> draft.lease = lease);
  }

  /** Sets the interval between searches for expired leases: 100 ms to an hour. */
  public EngineConfig rescueEvery(Duration rescueEvery) {
    return but(draft -> draft.rescueEvery = rescueEvery);
  }

  /**
   * Sets how long a worker's heartbeat may be missing before the worker is stale: 1 s to an hour.
   */
  public EngineConfig staleAfter(Duration staleAfter) {
    return but(draft -> draft.staleAfter = Optional.of(staleAfter));
  }

  /**
   * Sets the poll interval of a queue, used when no notification of new jobs arrives: 10 ms to a
   * minute.
   */
  public EngineConfig pollEvery(Duration pollEvery) {
    return but(draft -> draft.pollEvery = pollEvery);
  }

  /**
   * Sets the poll interval of job watchers, used when no notification of a change arrives: 100 ms
   * to an hour.
   */
  public EngineConfig watchEvery(Duration watchEvery) {
    return but(draft -> draft.watchEvery = watchEvery);
  }

  /** Sets how long a cancelled job may continue before its thread is interrupted: up to an hour. */
  public EngineConfig cancelGrace(Duration cancelGrace) {
    return but(draft -> draft.cancelGrace = cancelGrace);
  }

  /** Sets the maximum number of writes per second for the reports of a running job: 1 to 1,000. */
  public EngineConfig writesPerSecond(int writesPerSecond) {
    return but(draft -> draft.writesPerSecond = writesPerSecond);
  }

  /** Sets the maximum number of events of a job: up to 1,000,000. */
  public EngineConfig eventsMost(int eventsMost) {
    return but(draft -> draft.eventsMost = eventsMost);
  }

  /** Sets how many days ahead partitions are created: 1 to 366. */
  public EngineConfig daysAhead(int daysAhead) {
    return but(draft -> draft.daysAhead = daysAhead);
  }

  /** Sets how long a finished job is kept: a day to ten years. */
  public EngineConfig retention(Duration retention) {
    return but(draft -> draft.retention = retention);
  }

  /** Sets where job files are stored. */
  public EngineConfig outputs(OutputConfig outputs) {
    return but(draft -> draft.outputs = outputs);
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

  /** A configuration under construction. */
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

    private Draft(EngineConfig config) {
      workerName = config.workerName;
      mode = config.mode;
      roles = config.roles;
      concurrency = config.concurrency;
      concurrencyOf = config.concurrencyOf;
      directConcurrency = config.directConcurrency;
      memoryConcurrency = config.memoryConcurrency;
      memoryCapacity = config.memoryCapacity;
      memoryKept = config.memoryKept;
      lease = config.lease;
      rescueEvery = config.rescueEvery;
      staleAfter = config.staleAfter;
      pollEvery = config.pollEvery;
      watchEvery = config.watchEvery;
      cancelGrace = config.cancelGrace;
      writesPerSecond = config.writesPerSecond;
      eventsMost = config.eventsMost;
      daysAhead = config.daysAhead;
      retention = config.retention;
      outputs = config.outputs;
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
