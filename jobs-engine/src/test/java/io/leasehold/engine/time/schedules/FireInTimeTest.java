package io.leasehold.engine.time.schedules;

import static io.leasehold.engine.HandlerBinder.handlerBinder;
import static io.leasehold.engine.time.schedules.Firing.REPORT;
import static io.leasehold.engine.time.schedules.Firing.moveNext;
import static io.leasehold.engine.time.schedules.Firing.seldom;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.inject.AbstractModule;
import io.leasehold.jobs.Deletion;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.schedules.MissedSlots;
import io.leasehold.jobs.schedules.Schedule;
import io.leasehold.jobs.schedules.Schedule.State;
import io.leasehold.jobs.schedules.ScheduleRequest;
import io.leasehold.jobs.spi.JobInterceptor;
import io.leasehold.testkit.TestDatabase;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What becomes of slots that have come, with up to three processes that know nothing of another.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class FireInTimeTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final int HELD = 15;
  private static final Gate gate = new Gate();

  static Firing first;
  static Firing second;
  static Firing third;

  private final SecurityContext caller =
      SecurityContext.of("ann", new TenantId(UUID.randomUUID())).build();

  @BeforeAll
  static void open() {
    first = Firing.on(database, gate);
    second = Firing.on(database);
    third = Firing.on(database);
  }

  @AfterAll
  static void close() {
    first.close();
    second.close();
    third.close();
  }

  @AfterEach
  void forget() {
    Firing.ask(database, "DELETE FROM leasehold.schedule");
  }

  /** Keeps the first process in the midst of a submission, or has it fail. */
  private static final class Gate extends AbstractModule implements JobInterceptor {

    private final AtomicInteger submissions = new AtomicInteger();
    private final Semaphore arrived = new Semaphore(0);
    private final Semaphore open = new Semaphore(0);

    @Override
    protected void configure() {
      handlerBinder(binder()).intercept(this);
    }

    @Override
    public <I, O> JobRequest<I, O> submitting(SecurityContext caller, JobRequest<I, O> request) {
      submissions.incrementAndGet();
      if (request.metadata().containsKey("fails")) {
        throw new IllegalStateException("refused by the house");
      }
      if (request.metadata().containsKey("full")) {
        throw new JobsException(ErrorCode.DIRECT_FULL, "too much at present");
      }
      if (request.metadata().containsKey("errs")) {
        throw new AssertionError("an interceptor's own mistake");
      }
      if (request.metadata().containsKey("waits")) {
        arrived.release();
        await(open);
      }
      return request;
    }
  }

  private static void await(Semaphore semaphore) {
    try {
      assertThat(semaphore.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Begins on a thread of its own, however few processors there are. */
  private static FutureTask<Boolean> start(Firing process) {
    var firing = new FutureTask<>(process::fire, true);
    Thread.ofPlatform().daemon().start(firing);
    return firing;
  }

  private Schedule found(String name) {
    return first.schedules().find(caller, name).orElseThrow();
  }

  private void put(ScheduleRequest request, String next) {
    first.schedules().put(caller, request);
    moveNext(database, request.name(), next);
  }

  private List<String> jobs(String column) {
    return Firing.ask(
        database,
        "SELECT %s FROM leasehold.job WHERE tenant_id = '%s' ORDER BY metadata->>'slot', id"
            .formatted(column, caller.tenant()));
  }

  @Test
  void aDueSlotHasOneJob() {
    put(seldom("yearly"), "now() - interval '10 s'");
    var slot = found("yearly").nextAt();

    first.fire();
    first.fire();
    second.fire();

    var job = found("yearly").lastJob().orElseThrow();
    assertThat(jobs("id")).containsExactly(job.toString());
    assertThat(found("yearly").lastSlotAt()).isEqualTo(slot);
    assertThat(found("yearly").nextAt().orElseThrow()).isAfter(slot.orElseThrow());
  }

  @Test
  void aFutureSlotHasNoJob() {
    put(seldom("yearly"), "now() + interval '1 h'");

    first.fire();

    assertThat(jobs("id")).isEmpty();
  }

  @Test
  void submitsTheJobForTheTenantOfTheSchedule() {
    var job =
        REPORT.request(Map.of("n", new BigDecimal("1.10"))).priority(7).metadata("colour", "red");
    put(ScheduleRequest.of("yearly", "@yearly", job), "now() - interval '10 s'");
    var slot = found("yearly").nextAt().orElseThrow();

    second.fire();

    assertThat(jobs("input::text")).containsExactly("{\"n\":1.10}");
    assertThat(jobs("concat_ws(' ', principal, correlation_id, queue, priority, handler_id)"))
        .containsExactly("ann schedule:yearly reports 7 " + REPORT.handler());
    assertThat(jobs("metadata->>'schedule' || ' ' || (metadata->>'colour')"))
        .containsExactly("yearly red");
    assertThat(jobs("metadata->>'slot'")).containsExactly(slot.toString());
    assertThat(
            Firing.ask(
                database,
                "SELECT key FROM leasehold.job_key WHERE tenant_id = '%s'"
                    .formatted(caller.tenant())))
        .containsExactly("schedule:yearly@" + slot);
  }

  @Test
  void spreadsJobsOverTheJitter() {
    for (var i = 0; i < 20; i++) {
      put(seldom("yearly" + i).jitter(Duration.ofHours(10)), "now() - interval '10 s'");
    }

    first.fire();

    var delays =
        Firing.ask(
            database,
            "SELECT extract(epoch FROM available_at - now())::int / 3600 FROM leasehold.scheduled"
                + " WHERE tenant_id = '%s'".formatted(caller.tenant()));
    assertThat(delays).hasSizeGreaterThan(15).allMatch(hours -> Integer.parseInt(hours) < 10);
    assertThat(delays.stream().distinct()).hasSizeGreaterThan(2);
  }

  @Test
  void missedSlotsAreSkipped() {
    put(seldom("yearly").missed(MissedSlots.SKIP), "now() - interval '2 h'");

    first.fire();

    assertThat(jobs("id")).isEmpty();
    assertThat(found("yearly").lastSlotAt()).isEmpty();
    assertThat(found("yearly").nextAt().orElseThrow()).isAfter(found("yearly").updatedAt());
  }

  @Test
  void aScheduleThatSkipsASlotKeepsTheLastThatHadAJob() {
    put(seldom("yearly").missed(MissedSlots.SKIP), "date_trunc('second', now())");
    first.fire();
    var last = found("yearly").lastSlotAt();
    moveNext(database, "yearly", "now() - interval '2 h'");

    first.fire();

    assertThat(found("yearly").lastSlotAt()).isPresent().isEqualTo(last);
  }

  @Test
  void missedSlotsAreFiredOnce() {
    put(daily(MissedSlots.ONCE), "date_trunc('day', now(), 'UTC') - interval '3 days'");

    first.fire();

    assertThat(jobs("metadata->>'slot'"))
        .containsExactly(found("daily").lastSlotAt().orElseThrow().toString());
    assertThat(found("daily").nextAt())
        .contains(found("daily").lastSlotAt().orElseThrow().plus(Duration.ofDays(1)));
  }

  /** However many there are: it does not go through them one by one. */
  @Test
  void aScheduleContinuesAtOnceAfterMissedSlots() {
    put(daily(MissedSlots.ONCE), "date_trunc('day', now(), 'UTC') - interval '3 days'");
    var before = gate.submissions.get();

    first.fire();

    assertThat(gate.submissions.get() - before).isEqualTo(1);
  }

  @Test
  void missedSlotsAreCaughtUp() {
    put(daily(MissedSlots.ALL), "date_trunc('day', now(), 'UTC') - interval '3 days'");
    var slot = found("daily").nextAt().orElseThrow();

    first.fire();

    assertThat(jobs("metadata->>'slot'"))
        .containsExactly(
            slot.toString(),
            slot.plus(Duration.ofDays(1)).toString(),
            slot.plus(Duration.ofDays(2)).toString(),
            slot.plus(Duration.ofDays(3)).toString());
    assertThat(found("daily").nextAt()).contains(slot.plus(Duration.ofDays(4)));
  }

  private static ScheduleRequest daily(MissedSlots missed) {
    return ScheduleRequest.of("daily", "@daily", REPORT.request("x")).missed(missed);
  }

  @Test
  void aPausedScheduleHasNoJobsAndDoesNotCatchUp() {
    put(daily(MissedSlots.ALL), "date_trunc('day', now(), 'UTC') - interval '3 days'");
    first.schedules().pause(caller, "daily");

    second.fire();
    first.schedules().resume(caller, "daily");
    second.fire();

    assertThat(jobs("id")).isEmpty();
    assertThat(found("daily").nextAt().orElseThrow()).isAfter(found("daily").updatedAt());
  }

  @Test
  void aReplacedScheduleHasTheSlotsAndJobsOfTheNewOne() {
    put(seldom("yearly"), "now() - interval '10 s'");
    var seen = second.due();
    put(
        ScheduleRequest.of("yearly", "@yearly", REPORT.request("the new one")),
        "now() - interval '5 s'");

    assertThat(second.fire(seen.getFirst())).isFalse();
    second.fire();

    assertThat(jobs("input::text")).containsExactly("\"the new one\"");
  }

  /** It goes on where it is: what was seen before is the same slot, and another job. */
  @Test
  void aScheduleThatWasPutAgainIsNotFiredAsItWasBefore() {
    put(seldom("yearly"), "now() - interval '10 s'");
    var seen = second.due().getFirst();
    first
        .schedules()
        .put(caller, ScheduleRequest.of("yearly", "@yearly", REPORT.request("the new one")));

    assertThat(second.fire(seen)).isFalse();
    assertThat(found("yearly").nextAt()).contains(seen.slot());
    second.fire();

    assertThat(jobs("input::text")).containsExactly("\"the new one\"");
  }

  @Test
  void isOverAfterItsLastSlot() {
    put(seldom("yearly").endAt(Instant.parse("2026-11-20T00:00:00Z")), "now() - interval '10 s'");

    first.fire();

    assertThat(jobs("id")).hasSize(1);
    assertThat(found("yearly").state()).isEqualTo(State.OVER);
  }

  /** All of them look at the same schedules, at the same time. */
  @Test
  void threeProcessesHaveOneJobForEachSlot() throws Exception {
    var schedules = IntStream.range(0, 40).mapToObj(i -> "s" + i).toList();
    schedules.forEach(name -> first.schedules().put(caller, seldom(name)));
    for (var round = 1; round <= 5; round++) {
      Firing.ask(
          database,
          "UPDATE leasehold.schedule SET next_at = date_trunc('second', now()) - interval '%d s'"
              .formatted(20 - round));
      for (var firing : Stream.of(first, second, third).map(FireInTimeTest::start).toList()) {
        firing.get();
      }
      third.fire();

      assertThat(jobs("metadata->>'schedule' || (metadata->>'slot')"))
          .hasSize(40 * round)
          .doesNotHaveDuplicates();
    }
    assertThat(second.due()).isEmpty();
  }

  /** One is in the midst of it when the other comes. */
  @Test
  void theSecondProcessLeavesTheSlotToTheFirst() throws Exception {
    var job = REPORT.request("x").metadata("waits", "");
    put(ScheduleRequest.of("yearly", "@yearly", job), "now() - interval '10 s'");
    var seen = second.due().getFirst();
    var firing = start(first);
    await(gate.arrived);

    assertThat(second.fire(seen)).isFalse();
    second.fire();
    assertThat(jobs("id")).isEmpty();
    gate.open.release();
    firing.get();

    assertThat(second.fire(seen)).isFalse();
    assertThat(jobs("id")).hasSize(1);
  }

  /** A key lasts as long as its job, and here that is gone: the schedule's row knows better. */
  @Test
  void aProcessWithOldDataFiresNothingThoughTheJobWasDeleted() {
    put(seldom("yearly"), "now() - interval '10 s'");
    var seen = second.due().getFirst();
    first.fire();
    var job = JobId.of(jobs("id").getFirst());
    assertThat(first.jobs().delete(caller, job)).isInstanceOf(Deletion.Deleted.class);

    assertThat(second.fire(seen)).isFalse();

    assertThat(jobs("id")).isEmpty();
  }

  /** Whatever else the row says, one key has one job. */
  @Test
  void aSlotThatComesAgainKeepsItsJob() {
    put(seldom("yearly"), "now() - interval '10 s'");
    var slot = found("yearly").nextAt().orElseThrow();
    first.fire();
    var job = found("yearly").lastJob();
    moveNext(database, "yearly", "'%s'".formatted(slot));

    second.fire();

    assertThat(jobs("id")).hasSize(1);
    assertThat(found("yearly").lastJob()).isEqualTo(job);
  }

  @Test
  void aScheduleThatCannotBeFiredIsPutAsideAndDelaysNoOther() {
    put(seldom("broken"), "now() - interval '50 s'");
    put(seldom("foreign"), "now() - interval '50 s'");
    put(
        ScheduleRequest.of("refused", "@yearly", REPORT.request("x").metadata("fails", "")),
        "now() - interval '50 s'");
    put(seldom("sound"), "now() - interval '10 s'");
    Firing.ask(database, "UPDATE leasehold.schedule SET cron = '* * *' WHERE name = 'broken'");
    Firing.ask(database, "UPDATE leasehold.schedule SET zone = 'X/Y' WHERE name = 'foreign'");
    assertThat(first.schedules().next(caller, "broken", 5)).hasSize(1);

    first.fire();

    assertThat(jobs("metadata->>'schedule'")).containsExactly("sound");
    assertThat(fault("broken")).contains("cron must have 5 fields").contains("'* * *'");
    assertThat(fault("foreign")).contains("zone must be one").contains("'X/Y'");
    assertThat(fault("refused")).contains("refused by the house");
    assertThat(first.due()).isEmpty();
  }

  private String fault(String name) {
    assertThat(found(name).state()).isEqualTo(State.ASIDE);
    assertThat(first.schedules().next(caller, name, 1)).isEmpty();
    return found(name).fault().orElseThrow().error();
  }

  /** The schedule was put again, or fired, after a failure was seen. */
  @Test
  void aScheduleThatChangedAfterItsFailureIsNotPutAside() {
    put(seldom("put"), "now() - interval '10 s'");
    put(seldom("fired"), "now() - interval '10 s'");
    var seen = second.due();
    first.schedules().put(caller, seldom("put"));
    first.fire();

    for (var due : seen) {
      assertThat(putAside(due)).as(due.which().name()).isFalse();
    }
    put(seldom("put"), "'%s'".formatted(seen.getFirst().slot()));
    assertThat(seen).allMatch(due -> !putAside(due));
    assertThat(found("put").state()).isEqualTo(State.ACTIVE);
    assertThat(found("fired").state()).isEqualTo(State.ACTIVE);
  }

  private static boolean putAside(DueSchedule due) {
    return second
        .service()
        .transactions()
        .asEngine(
            tx -> MoveOn.putAside(tx, due.which(), due.revision(), due.slot(), "of an old view"));
  }

  @Test
  void aScheduleThatWasPutAsideCanBeResumed() {
    put(
        ScheduleRequest.of("refused", "@yearly", REPORT.request("x").metadata("fails", "")),
        "now() - interval '50 s'");
    put(seldom("broken"), "now() - interval '50 s'");
    Firing.ask(database, "UPDATE leasehold.schedule SET cron = '* * *' WHERE name = 'broken'");
    first.fire();

    assertThat(first.schedules().resume(caller, "refused")).isTrue();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> first.schedules().resume(caller, "broken"));
    first.schedules().put(caller, seldom("broken"));

    assertThat(found("refused").state()).isEqualTo(State.ACTIVE);
    assertThat(found("broken").state()).isEqualTo(State.ACTIVE);
    assertThat(found("broken").fault()).isEmpty();
  }

  /** An open transaction has changed a schedule, and does not end. */
  @Test
  void aLockedScheduleDelaysNoOther() throws SQLException {
    put(seldom("held"), "now() - interval '50 s'");
    put(seldom("free"), "now() - interval '10 s'");
    try (var holder = database.connectAsAdministrator()) {
      holder.setAutoCommit(false);
      try (var statement = holder.createStatement()) {
        statement.execute("UPDATE leasehold.schedule SET jitter_ms = 1 WHERE name = 'held'");
      }

      first.fire();

      assertThat(jobs("metadata->>'schedule'")).containsExactly("free");
      holder.rollback();
    }
    first.fire();
    assertThat(jobs("metadata->>'schedule'")).containsExactlyInAnyOrder("free", "held");
  }

  /** More than are looked at at once; it is tried again later, which does not help the others. */
  @Test
  void manyFailingSchedulesDelayNoLaterOne() {
    var job = REPORT.request("x").metadata("full", "");
    first.schedules().put(caller, ScheduleRequest.of("full", "@yearly", job));
    multiply("full", 600);
    put(seldom("sound"), "now() - interval '5 s'");

    first.fire();

    assertThat(jobs("metadata->>'schedule'")).containsExactly("sound");
    assertThat(found("full1").state()).isEqualTo(State.ACTIVE);
    assertThat(second.due()).hasSize(600);
  }

  @ParameterizedTest
  @ValueSource(strings = {"5 s", "15 s"})
  void manyLockedSchedulesDelayNoOther(String ago) throws SQLException {
    first.schedules().put(caller, seldom("held"));
    multiply("held", 600);
    put(seldom("free"), "now() - interval '%s'".formatted(ago));
    try (var holder = database.connectAsAdministrator()) {
      holder.setAutoCommit(false);
      try (var statement = holder.createStatement()) {
        statement.execute("UPDATE leasehold.schedule SET jitter_ms = 1 WHERE name LIKE 'held%'");
      }

      first.fire();

      assertThat(jobs("metadata->>'schedule'")).containsExactly("free");
      holder.rollback();
    }
  }

  /**
   * A tenant knows the keys of its schedules' jobs, and can hold them in a transaction of its own:
   * waiting for each as for any lock would take longer than this test may.
   */
  @Test
  void tenantsThatLockTheKeysOfTheirSlotsDelayNoOther() throws SQLException {
    for (int i = 0; i < HELD; i++) {
      putSlot(SecurityContext.of("eve", new TenantId(UUID.randomUUID())).build(), "held");
    }
    put(seldom("free"), "now() - interval '10 s'");
    try (var holder = holdKeysOfSlots()) {
      first.fire();

      assertThat(jobs("metadata->>'schedule'")).containsExactly("free");
      holder.rollback();
    }
  }

  @Test
  void aTenantThatLocksTheKeysOfItsSlotsIsWaitedForOnce() throws SQLException {
    for (int i = 0; i < HELD; i++) {
      putSlot(caller, "held" + i);
    }
    try (var holder = holdKeysOfSlots()) {
      var before = gate.submissions.get();

      first.fire();

      assertThat(gate.submissions.get() - before).isBetween(1, HELD / 3);
      holder.rollback();
    }
    first.fire();
    assertThat(jobs("metadata->>'schedule'")).hasSize(HELD);
  }

  private static void putSlot(SecurityContext owner, String name) {
    first.schedules().put(owner, seldom(name));
    moveNext(database, name, "date_trunc('second', now()) - interval '50 s'");
  }

  private static Connection holdKeysOfSlots() throws SQLException {
    var holder = database.connectAsAdministrator();
    holder.setAutoCommit(false);
    try (var keys =
        holder.prepareStatement(
            "INSERT INTO leasehold.job_key (tenant_id, handler_id, key, id)"
                + " VALUES (?::uuid, ?, ?, gen_random_uuid())")) {
      for (var row :
          Firing.ask(
              database,
              "SELECT concat_ws(' ', tenant_id, name, extract(epoch FROM next_at)::bigint)"
                  + " FROM leasehold.schedule WHERE name LIKE 'held%'")) {
        var parts = row.split(" ", -1);
        var slot = Instant.ofEpochSecond(Long.parseLong(parts[2]));
        keys.setString(1, parts[0]);
        keys.setString(2, REPORT.handler().value());
        keys.setString(3, "schedule:%s@%s".formatted(parts[1], slot));
        keys.execute();
      }
    }
    return holder;
  }

  /** It would end the thread that fires, and with it all schedules of all tenants. */
  @Test
  void anErrorOfAnInterceptorDelaysNoOther() {
    var job = REPORT.request("x").metadata("errs", "");
    put(ScheduleRequest.of("errs", "@yearly", job), "now() - interval '10 s'");
    put(seldom("sound"), "now() - interval '5 s'");

    first.fire();

    assertThat(jobs("metadata->>'schedule'")).containsExactly("sound");
    assertThat(found("errs").state()).isEqualTo(State.ACTIVE);
  }

  @Test
  void manyDueSchedulesAreFiredByOneOrSeveralProcesses() throws Exception {
    first.schedules().put(caller, seldom("s"));
    multiply("s", 700);

    for (var firing : Stream.of(first, second, third).map(FireInTimeTest::start).toList()) {
      firing.get();
    }
    first.fire();

    assertThat(jobs("metadata->>'schedule'")).hasSize(700).doesNotHaveDuplicates();
  }

  /** Makes {@code count} copies of a schedule, with numbers after its name, that are due. */
  private void multiply(String name, int count) {
    Firing.ask(
        database,
        """
        INSERT INTO leasehold.schedule (tenant_id, name, cron, zone, jitter_ms, missed, handler_id,
          queue, priority, max_attempts, input, metadata, principal, next_at)
        SELECT tenant_id, name || i, cron, zone, 0, missed, handler_id, queue, priority,
          max_attempts, input, metadata, principal, now() - interval '10 s'
        FROM leasehold.schedule, generate_series(1, %d) AS i
        WHERE tenant_id = '%s' AND name = '%s'
        """
            .formatted(count, caller.tenant(), name));
  }
}
