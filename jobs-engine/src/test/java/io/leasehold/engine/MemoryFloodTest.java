package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.JobsException.Limit;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A million submissions against a bound of a thousand, with handlers that cannot follow. */
class MemoryFloodTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final Logger log = LoggerFactory.getLogger(MemoryFloodTest.class);

  private static final int SUBMISSIONS = 1_000_000;
  private static final int ROUNDS = 5;
  private static final int THREADS = 4;
  private static final int EACH = SUBMISSIONS / ROUNDS / THREADS;
  private static final int BOUND = 1_000;

  /** The number of submissions between the ends of two handlers. */
  private static final int SLOWNESS = 50;

  private static final long GROWTH_MOST = 16 << 20;

  private static final JobType<Integer, Integer> SLOW =
      JobType.inMemory(
          "gts.x.core.jobs.handler.v1~acme.tests.memory.slow.v1", Integer.class, Integer.class);

  private final Semaphore ends = new Semaphore(0);
  private final AtomicInteger submitted = new AtomicInteger();
  private final AtomicIntegerArray accepted = new AtomicIntegerArray(SUBMISSIONS);
  private final AtomicIntegerArray ran = new AtomicIntegerArray(SUBMISSIONS);
  private final int[] refusalNanos = new int[SUBMISSIONS];
  private final AtomicInteger refusals = new AtomicInteger();

  @Test
  void refusesAtOnceWithConstantMemoryAndRunsAcceptedJobsOnce() throws InterruptedException {
    var handlers = new Handlers().with(SLOW, (job, number) -> run(number));
    var config = EngineConfig.defaults().memoryCapacity(BOUND);
    var used = new ArrayList<Long>();

    try (var engine = RunningEngine.on(database, config, handlers)) {
      for (int round = 0; round < ROUNDS; round++) {
        flood(engine.jobs());
        used.add(usedAfterCollection());
      }
      ends.release(SUBMISSIONS);
      await().atMost(Duration.ofMinutes(1)).untilAsserted(this::requireEachAcceptedRan);
    }

    requireEachAcceptedRan();
    assertThat(sum(accepted)).isEqualTo(SUBMISSIONS - refusals.get());
    assertThat(refusals.get()).isBetween(SUBMISSIONS / 2, SUBMISSIONS - BOUND);
    requireImmediate();
    log.warn("heap after each {} submissions: {}", SUBMISSIONS / ROUNDS, used);
    assertThat(used).allMatch(heap -> heap <= used.getFirst() + GROWTH_MOST);
  }

  private int run(int number) throws InterruptedException {
    ends.acquire();
    return ran.incrementAndGet(number);
  }

  private void flood(JobService jobs) throws InterruptedException {
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < THREADS; i++) {
      var caller = SecurityContext.of("ann", new TenantId(new UUID(1, i))).build();
      threads.add(Thread.ofPlatform().start(() -> submitEach(jobs, caller)));
    }
    for (var thread : threads) {
      thread.join();
    }
  }

  private void submitEach(JobService jobs, SecurityContext caller) {
    for (int i = 0; i < EACH; i++) {
      var number = submitted.getAndIncrement();
      if (number % SLOWNESS == 0) {
        ends.release();
      }
      var begin = System.nanoTime();
      try {
        jobs.submit(caller, SLOW.request(number));
        accepted.incrementAndGet(number);
      } catch (JobsException e) {
        requireTyped(e);
        refusalNanos[refusals.getAndIncrement()] =
            (int) Math.min(Integer.MAX_VALUE, System.nanoTime() - begin);
      }
    }
  }

  private static void requireTyped(JobsException e) {
    if (e.code() != ErrorCode.MEMORY_FULL
        || !e.limit().equals(Optional.of(new Limit(BOUND, BOUND)))) {
      throw new AssertionError("refused otherwise", e);
    }
  }

  private void requireEachAcceptedRan() {
    for (int i = 0; i < SUBMISSIONS; i++) {
      if (accepted.get(i) != ran.get(i)) {
        throw new AssertionError(
            "%d was accepted %d times and ran %d times".formatted(i, accepted.get(i), ran.get(i)));
      }
    }
  }

  // A pause of the process is no wait for a lock: others work on the same processors.
  private void requireImmediate() {
    var nanos = Arrays.copyOf(refusalNanos, refusals.get());
    Arrays.sort(nanos);
    log.warn(
        "{} refusals: half within {} ns, 99 of 100 within {} ns, 999 of 1,000 within {} ns, all"
            + " within {} ns",
        nanos.length,
        nanos[nanos.length / 2],
        nanos[nanos.length / 100 * 99],
        nanos[nanos.length / 1_000 * 999],
        nanos[nanos.length - 1]);
    assertThat(nanos[nanos.length / 2]).isLessThan(1_000_000);
    assertThat(nanos[nanos.length / 100 * 99]).isLessThan(20_000_000);
  }

  private static int sum(AtomicIntegerArray array) {
    var sum = 0;
    for (int i = 0; i < array.length(); i++) {
      sum += array.get(i);
    }
    return sum;
  }

  // The least of some readings: what a collection leaves is garbage for the next.
  private static long usedAfterCollection() {
    var readings = new ArrayList<Long>();
    for (int i = 0; i < 3; i++) {
      System.gc();
      readings.add(Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
    }
    return readings.stream().mapToLong(Long::longValue).min().orElseThrow();
  }
}
