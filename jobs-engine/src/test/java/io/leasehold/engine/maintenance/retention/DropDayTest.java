package io.leasehold.engine.maintenance.retention;

import static io.leasehold.engine.maintenance.TestQueue.today;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.engine.maintenance.TestQueue;
import io.leasehold.engine.maintenance.retention.DropDay.Drop;
import io.leasehold.engine.metrics.Measuring;
import io.leasehold.engine.work.claim.Claimant;
import io.leasehold.engine.work.claim.Lanes;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Days are dropped while jobs are claimed. */
class DropDayTest {

  @RegisterExtension static final TestQueue queue = new TestQueue();

  private static final Logger log = LoggerFactory.getLogger(DropDayTest.class);
  private static final Duration RETENTION = Duration.ofDays(14);
  private static final LocalDate OLDEST = today().minusDays(30);
  private static final int DAYS = 5;
  private static final int ENDED_A_DAY = 2_000;
  private static final int WAITING = 20_000;

  @Test
  void delaysClaimsByATenthOfASecondAtMost() throws Exception {
    waiting();

    assertThat(longerClaims(this::dropDays))
        .anySatisfy(longer -> assertThat(longer).isLessThan(Duration.ofMillis(100)));
  }

  @Test
  void delaysClaimsNoLongerWhenALockIsTaken() throws Exception {
    waiting();
    try (var tenant = queue.asTenant()) {
      TestQueue.ask(tenant, "SELECT count(*) FROM leasehold.job_status_v WHERE false");

      assertThat(longerClaims(this::dropInVain))
          .anySatisfy(longer -> assertThat(longer).isLessThan(Duration.ofMillis(100)));
    }
  }

  @Test
  void losesNoJobThatIsClaimedDuringTheDrop() throws Exception {
    waiting();
    prepareDays();

    longestClaim(this::dropDays);

    assertThat(queue.ask("SELECT count(*) FROM leasehold.lease")).doesNotContain(0L);
    assertThat(queue.ask("SELECT count(*) FROM leasehold.job")).containsExactly((long) WAITING);
    assertThat(
            queue.ask(
                "SELECT (SELECT count(*) FROM leasehold.ready)"
                    + " + (SELECT count(*) FROM leasehold.lease)"))
        .containsExactly((long) WAITING);
  }

  /** Counted beside claims without drops: a busy machine spoils a round, and not all of them. */
  private static List<Duration> longerClaims(Runnable drops) throws Exception {
    longestClaim(() -> {}); // The first ones open connections and load classes.
    var longer = new ArrayList<Duration>();
    for (var round = 0; round < 3; round++) {
      prepareDays();
      var without = longestClaim(() -> {});
      var with = longestClaim(drops);
      log.info("the longest claim: {} without drops, {} with them", without, with);
      longer.add(with.minus(without));
    }
    return longer;
  }

  /** Of two threads, while the work is done, and for some claims at least. */
  private static Duration longestClaim(Runnable work) throws Exception {
    var claims = new AtomicInteger();
    try (var executor = Executors.newFixedThreadPool(3)) {
      var working = CompletableFuture.runAsync(work, executor);
      var longest = new ArrayList<CompletableFuture<Duration>>();
      for (var thread = 0; thread < 2; thread++) {
        longest.add(
            CompletableFuture.supplyAsync(
                () -> claimWhile(() -> !working.isDone() || claims.get() < 200, claims), executor));
      }
      working.join();
      return longest.stream()
          .map(CompletableFuture::join)
          .max(Duration::compareTo)
          .orElse(Duration.ZERO);
    }
  }

  private static Duration claimWhile(BooleanSupplier goesOn, AtomicInteger claims) {
    var lanes =
        new Lanes(
            queue.transactions(),
            new Claimant(WorkerId.random(), "default", Duration.ofMinutes(1), Set.of(), Set.of()),
            Measuring.claims());
    var longest = 0L;
    while (goesOn.getAsBoolean()) {
      var begin = System.nanoTime();
      lanes.claim(5);
      longest = Math.max(longest, System.nanoTime() - begin);
      claims.incrementAndGet();
    }
    return Duration.ofNanos(longest);
  }

  // Each is tried until it succeeds, as upkeep does.
  private void dropDays() {
    for (var day = 0; day < DAYS; day++) {
      var date = OLDEST.plusDays(day);
      await().until(() -> drop(date) == Drop.DROPPED);
    }
  }

  private void dropInVain() {
    for (var attempt = 0; attempt < DAYS; attempt++) {
      assertThat(drop(OLDEST)).isEqualTo(Drop.BUSY);
    }
  }

  private static Drop drop(LocalDate day) {
    return queue.transactions().asEngine(tx -> DropDay.drop(tx, day, RETENTION));
  }

  private static void prepareDays() throws SQLException {
    for (var day = 0; day < DAYS; day++) {
      queue.prepare(OLDEST.plusDays(day));
      fill(OLDEST.plusDays(day));
    }
  }

  private static void fill(LocalDate day) throws SQLException {
    queue.run(
        """
        WITH ids AS (
          SELECT overlay(gen_random_uuid()::text PLACING left(leasehold.first_id_of(?)::text, 15)
            FROM 1)::uuid AS id FROM generate_series(1, ?)),
        asked AS (
          INSERT INTO leasehold.job (tenant_id, id, handler_id, input, queue, priority,
            max_attempts, principal)
          SELECT ?, id, 'handler', '{}', 'default', 0, 3, 'ann' FROM ids)
        INSERT INTO leasehold.outcome (tenant_id, id, status, finished_at, attempts)
        SELECT ?, id, 'succeeded', now() - interval '15 days', 1 FROM ids\
        """,
        day,
        ENDED_A_DAY,
        TestQueue.TENANT,
        TestQueue.TENANT);
  }

  private static void waiting() throws SQLException {
    queue.run(
        """
        WITH asked AS (
          INSERT INTO leasehold.job (tenant_id, id, handler_id, input, queue, priority,
            max_attempts, principal)
          SELECT ?, leasehold.new_id(), 'gts.x.core.jobs.handler.v1~acme.a.b.c.v1', '{}', 'default', 0, 3, 'ann'
          FROM generate_series(1, ?) RETURNING tenant_id, id)
        INSERT INTO leasehold.ready (tenant_id, id, queue, priority, attempts, available_at)
        SELECT tenant_id, id, 'default', 0, 0, now() FROM asked\
        """,
        TestQueue.TENANT,
        WAITING);
  }
}
