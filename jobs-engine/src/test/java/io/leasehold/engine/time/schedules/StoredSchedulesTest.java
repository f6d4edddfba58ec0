package io.leasehold.engine.time.schedules;

import static io.leasehold.engine.time.schedules.Firing.REPORT;
import static io.leasehold.engine.time.schedules.Firing.seldom;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.schedules.MissedSlots;
import io.leasehold.jobs.schedules.Schedule;
import io.leasehold.jobs.schedules.Schedule.State;
import io.leasehold.jobs.schedules.ScheduleRequest;
import io.leasehold.jobs.schedules.Schedules;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a tenant can do with its schedules. Nothing fires them. */
class StoredSchedulesTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  static Firing process;
  static Schedules schedules;

  private final SecurityContext caller =
      SecurityContext.of("ann", new TenantId(UUID.randomUUID())).build();

  @BeforeAll
  static void open() {
    process = Firing.on(database);
    schedules = process.schedules();
  }

  @AfterAll
  static void close() {
    process.close();
  }

  private Schedule found(String name) {
    return schedules.find(caller, name).orElseThrow();
  }

  private void moveNext(String time) {
    Firing.ask(
        database,
        "UPDATE leasehold.schedule SET next_at = %s WHERE tenant_id = '%s'"
            .formatted(time, caller.tenant()));
  }

  @Test
  void storesAllParts() {
    var start = Instant.parse("2026-01-01T00:00:00Z");
    var end = Instant.parse("2099-01-01T00:00:00Z");
    var request =
        ScheduleRequest.of("nightly", " 30 2 * * * ", REPORT.request("x").priority(7))
            .zone(BERLIN)
            .jitter(Duration.ofMinutes(5))
            .missed(MissedSlots.ALL)
            .startAt(start)
            .endAt(end);

    var put = schedules.put(caller, request);

    assertThat(put).isEqualTo(found("nightly"));
    assertThat(put)
        .usingRecursiveComparison()
        .ignoringFields("createdAt", "updatedAt", "nextAt")
        .isEqualTo(
            new Schedule(
                caller.tenant(),
                "nightly",
                "30 2 * * *",
                "Europe/Berlin",
                REPORT.handler(),
                "reports",
                7,
                Duration.ofMinutes(5),
                MissedSlots.ALL,
                Optional.of(start),
                Optional.of(end),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                "ann",
                put.createdAt(),
                put.updatedAt()));
    assertThat(put.state()).isEqualTo(State.ACTIVE);
  }

  @Test
  void listsTheNextSlotsInItsZone() {
    schedules.put(
        caller, ScheduleRequest.of("daily", "30 12 * * *", REPORT.request("x")).zone(BERLIN));

    var next = schedules.next(caller, "daily", 3);

    assertThat(next).hasSize(3).isSorted().startsWith(found("daily").nextAt().orElseThrow());
    assertThat(next)
        .allMatch(it -> it.atZone(BERLIN).toLocalTime().equals(LocalTime.of(12, 30)))
        .allMatch(it -> it.isAfter(found("daily").createdAt()));
  }

  @Test
  void putAgainKeepsMissedSlots() {
    schedules.put(caller, seldom("yearly"));
    moveNext("now() - interval '2 days'");
    var missed = found("yearly").nextAt();

    var again = schedules.put(caller, seldom("yearly"));

    assertThat(again.nextAt()).isEqualTo(missed).isPresent();
    assertThat(again.createdAt()).isBefore(again.updatedAt());
    assertThat(
            Firing.ask(
                database,
                "SELECT name FROM leasehold.schedule WHERE tenant_id = '%s'"
                    .formatted(caller.tenant())))
        .containsExactly("yearly");
  }

  @Test
  void aNewCronExpressionContinuesFromNow() {
    schedules.put(caller, seldom("yearly"));
    moveNext("now() - interval '2 days'");

    var replaced =
        schedules.put(caller, ScheduleRequest.of("yearly", "@monthly", REPORT.request("y")));

    assertThat(replaced.nextAt().orElseThrow()).isAfter(replaced.updatedAt());
    assertThat(schedules.put(caller, seldom("yearly").zone(BERLIN)).nextAt().orElseThrow())
        .isNotEqualTo(replaced.nextAt().orElseThrow());
  }

  @Test
  void aNewZoneOrSpanContinuesFromNow() {
    var start = Instant.parse("2020-01-01T00:00:00Z");
    var changed =
        List.of(
            seldom("yearly").zone(BERLIN),
            seldom("yearly").startAt(start),
            seldom("yearly").endAt(Instant.parse("2099-01-01T00:00:00Z")));
    for (var request : changed) {
      schedules.put(caller, seldom("yearly"));
      moveNext("now() - interval '2 days'");

      var replaced = schedules.put(caller, request);

      assertThat(replaced.nextAt().orElseThrow()).isAfter(replaced.updatedAt());
      schedules.remove(caller, "yearly");
    }
  }

  /** A slot that was reckoned by what was there before would be one that the schedule has not. */
  @Test
  void isNotResumedAtASlotOfItsEarlierVersion() {
    var transactions = process.service().transactions();
    schedules.put(caller, seldom("yearly"));
    schedules.pause(caller, "yearly");
    var seen = transactions.asTenant(caller, tx -> ReadSchedules.find(tx, "yearly").orElseThrow());
    schedules.put(caller, seldom("yearly").zone(BERLIN));

    var resumed =
        transactions.asTenant(
            caller,
            tx -> ChangeSchedule.resume(tx, "yearly", seen.revision(), Optional.of(Instant.EPOCH)));

    assertThat(resumed).isFalse();
    assertThat(found("yearly").state()).isEqualTo(State.PAUSED);
  }

  @Test
  void pausedUntilItIsResumed() {
    schedules.put(caller, seldom("yearly"));
    var ben = SecurityContext.of("ben", caller.tenant()).build();

    assertThat(schedules.pause(caller, "yearly")).isTrue();
    assertThat(schedules.pause(ben, "yearly")).isTrue();

    var paused = found("yearly");
    assertThat(paused.state()).isEqualTo(State.PAUSED);
    assertThat(paused.pause().orElseThrow().by()).isEqualTo("ann");
    assertThat(schedules.next(caller, "yearly", 5)).isEmpty();
    assertThat(schedules.put(caller, seldom("yearly").zone(BERLIN)).state())
        .isEqualTo(State.PAUSED);

    assertThat(schedules.resume(caller, "yearly")).isTrue();
    var next = found("yearly").nextAt();
    assertThat(schedules.resume(caller, "yearly")).isTrue();

    assertThat(found("yearly").nextAt()).isEqualTo(next).isPresent();
    assertThat(next.orElseThrow().atZone(BERLIN).getDayOfYear()).isEqualTo(1);
    assertThat(found("yearly").state()).isEqualTo(State.ACTIVE);
  }

  @Test
  void removedCannotBeFound() {
    schedules.put(caller, seldom("yearly"));

    assertThat(schedules.remove(caller, "yearly")).isTrue();

    assertThat(schedules.find(caller, "yearly")).isEmpty();
    assertThat(schedules.remove(caller, "yearly")).isFalse();
    assertThat(schedules.pause(caller, "yearly")).isFalse();
    assertThat(schedules.resume(caller, "yearly")).isFalse();
    assertThat(schedules.next(caller, "yearly", 1)).isEmpty();
  }

  @Test
  void listsByNamesPageByPage() {
    for (var name : new String[] {"d", "b", "a.1", "c", "a"}) {
      schedules.put(caller, seldom(name));
    }

    var first = schedules.list(caller, Optional.empty(), 2);
    var second = schedules.list(caller, first.next(), 2);
    var third = schedules.list(caller, second.next(), 2);

    assertThat(first.schedules()).extracting(Schedule::name).containsExactly("a", "a.1");
    assertThat(second.schedules()).extracting(Schedule::name).containsExactly("b", "c");
    assertThat(third.schedules()).extracting(Schedule::name).containsExactly("d");
    assertThat(third.next()).isEmpty();
  }

  @Test
  void belongsToTheTransactionThatPutsIt() {
    var transactions = process.service().transactions();
    schedules.put(caller, seldom("kept"));

    assertThatThrownBy(
            () ->
                transactions.asTenant(
                    caller,
                    tx -> {
                      schedules.put(tx, seldom("new"));
                      schedules.pause(tx, "kept");
                      schedules.resume(tx, "kept");
                      schedules.remove(tx, "kept");
                      throw new IllegalStateException("undone");
                    }))
        .hasMessage("undone");
    assertThat(schedules.find(caller, "new")).isEmpty();
    assertThat(found("kept").state()).isEqualTo(State.ACTIVE);

    transactions.asTenant(caller, tx -> schedules.put(tx, seldom("new")));
    assertThat(found("new").state()).isEqualTo(State.ACTIVE);
  }

  @Test
  void isOverWhenItsEndHasPassed() {
    var past = seldom("past").endAt(Instant.parse("2020-01-01T00:00:00Z"));

    assertThat(schedules.put(caller, past).state()).isEqualTo(State.OVER);
    assertThat(schedules.put(caller, past).nextAt()).isEmpty();
  }

  @Test
  void refusesInvalidSchedulesAndKeepsTheTransaction() {
    var transactions = process.service().transactions();
    var never = ScheduleRequest.of("never", "0 0 30 2 *", REPORT.request("x"));

    transactions.asTenant(
        caller,
        tx -> {
          assertThatIllegalArgumentException()
              .isThrownBy(() -> schedules.put(tx, never))
              .withMessageContaining("never comes true");
          return schedules.put(tx, seldom("other"));
        });

    assertThat(schedules.find(caller, "never")).isEmpty();
    assertThat(schedules.find(caller, "other")).isPresent();
  }

  @Test
  void inputIsCheckedWhenTheScheduleIsPut() {
    var picky =
        REPORT.check(
            input -> {
              throw new IllegalArgumentException("not " + input);
            });

    assertThatExceptionOfType(JobsException.class)
        .isThrownBy(
            () -> schedules.put(caller, ScheduleRequest.of("a", "@daily", picky.request("x"))))
        .matches(e -> e.code() == ErrorCode.INPUT_REFUSED);
    assertThatExceptionOfType(JobsException.class)
        .isThrownBy(
            () ->
                schedules.put(
                    caller, ScheduleRequest.of("a", "@daily", REPORT.request("x".repeat(2 << 20)))))
        .matches(e -> e.code() == ErrorCode.TOO_LARGE);
  }

  @Test
  void boundsOfARequest() {
    var inMemory = JobType.inMemory(REPORT.handler().value(), Object.class, Object.class);
    var words = REPORT.request("x");
    for (var i = 0; i < 63; i++) {
      words = words.metadata("word" + i, "");
    }
    var tooMany = words;

    for (var name : new String[] {"", "A", "-a", "a b", "a".repeat(65), "\u00e4", "a\n"}) {
      refused(() -> seldom(name), name);
    }
    refused(() -> ScheduleRequest.of("a", " ", REPORT.request("x")), "1");
    refused(() -> ScheduleRequest.of("a", "*".repeat(256), REPORT.request("x")), "256");
    refused(() -> seldom("a").jitter(Duration.ofSeconds(-1)), "PT-1S");
    refused(() -> seldom("a").jitter(Duration.ofHours(24).plusMillis(1)), "PT24H0.001S");
    refused(() -> seldom("a").endAt(Instant.EPOCH).startAt(Instant.EPOCH), "1970-01-01T00:00:00Z");
    refused(() -> seldom("a").startAt(Instant.MIN), Instant.MIN.toString());
    refused(() -> ScheduleRequest.of("a", "@daily", REPORT.request("x").key("k")), "no key");
    refused(
        () -> ScheduleRequest.of("a", "@daily", REPORT.request("x").delay(Duration.ofSeconds(1))),
        "no delay");
    var other = new JobId(UUID.randomUUID());
    refused(() -> ScheduleRequest.of("a", "@daily", REPORT.request("x").after(other)), "no others");
    refused(() -> ScheduleRequest.of("a", "@daily", REPORT.request("x").reuse()), "reuse none");
    refused(() -> ScheduleRequest.of("a", "@daily", inMemory.request("x")), "in memory");
    refused(() -> ScheduleRequest.of("a", "@daily", tooMany), "at most 62");
    refused(
        () -> ScheduleRequest.of("a", "@daily", REPORT.request("x").metadata("slot", "")), "slot");
    refused(() -> schedules.list(caller, Optional.empty(), 201), "201");
    refused(() -> schedules.list(caller, Optional.empty(), 0), "0");
    refused(() -> schedules.next(caller, "a", 101), "101");
  }

  private static void refused(Runnable work, String seen) {
    assertThatIllegalArgumentException().isThrownBy(work::run).withMessageContaining(seen);
  }

  /** Of several who put the same at once, as processes do when they start, none fails. */
  @Test
  void canBePutConcurrently() {
    var put =
        IntStream.range(0, 16)
            .parallel()
            .mapToObj(i -> schedules.put(caller, seldom("same")).name())
            .toList();

    assertThat(put).hasSize(16).containsOnly("same");
    assertThat(schedules.list(caller, Optional.empty(), 50).schedules()).hasSize(1);
  }

  @Test
  void storesThePolicyForMissedSlots() {
    assertThat(Map.of("skip", MissedSlots.SKIP, "once", MissedSlots.ONCE, "all", MissedSlots.ALL))
        .allSatisfy((word, missed) -> assertThat(MissedSlots.of(word)).isEqualTo(missed));
    refused(() -> MissedSlots.of("twice"), "twice");
  }
}
