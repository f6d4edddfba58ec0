package io.leasehold.engine.time.schedules;

import static io.leasehold.engine.time.schedules.Firing.REPORT;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.schedules.ScheduleRequest;
import io.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Schedules whose next slots were reckoned before the database's clock went back by an hour. */
class HealSchedulesTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  static Firing firing;

  private final SecurityContext caller =
      SecurityContext.of("ann", new TenantId(UUID.randomUUID())).build();

  @BeforeAll
  static void open() {
    firing = Firing.on(database);
  }

  @AfterAll
  static void close() {
    firing.close();
  }

  @Test
  void aScheduleOfEveryMinuteContinuesFromNow() {
    put("it", "* * * * *");
    anHourAhead();

    firing.heal();

    assertThat(next("it")).isBetween(Instant.now().minusSeconds(5), Instant.now().plusSeconds(65));
  }

  @Test
  void aSlotThatComesAgainHasAJobOfItsOwn() {
    put("it", "* * * * * *");
    set("next_at = date_trunc('second', now())");
    firing.fire();
    var slot = ask("last_slot_at").getFirst();
    var fired = jobs();
    anHourAhead();

    firing.heal();
    set("next_at = '%s'".formatted(slot));
    firing.fire();

    assertThat(fired).isNotEmpty();
    assertThat(jobs()).hasSizeGreaterThan(fired.size());
  }

  /** It was found to be due before, and its job submitted after: at another time than its slot. */
  @Test
  void aScheduleThatWasBeingFiredWhenTheClockWentBackContinues() {
    put("it", "* * * * * *");
    set("next_at = date_trunc('second', now())");
    set(
        "last_slot_at = date_trunc('second', now() + interval '1 h'),"
            + " next_at = date_trunc('second', now() + interval '1 h 1 s')");

    firing.heal();
    firing.heal();

    assertThat(next("it")).isBefore(Instant.now().plusSeconds(5));
    assertThat(ask("rewinds")).containsExactly("1");
  }

  @Test
  void aScheduleThatNamesHoursDoesNotRepeatWhatItHasFired() {
    put("it", inHalfAnHour());
    var fired = next("it");
    set("last_slot_at = next_at, next_at = next_at + interval '1 day'");
    anHourAhead();

    firing.heal();

    assertThat(next("it")).isEqualTo(fired.plus(Duration.ofDays(1)));
    assertThat(ask("reckoned_at <= clock_timestamp()")).containsExactly("t");
  }

  @Test
  void aScheduleThatNamesHoursFiresTheSlotThatItHadSkipped() {
    put("it", inHalfAnHour());
    var first = next("it");
    set("next_at = next_at + interval '1 day'");
    anHourAhead();

    firing.heal();

    assertThat(next("it")).isEqualTo(first);
  }

  @Test
  void aScheduleWithANextSlotInThePastIsLeft() {
    put("it", "* * * * *");
    set("next_at = date_trunc('second', now() + interval '1 h')");
    var next = next("it");

    firing.heal();

    assertThat(next("it")).isEqualTo(next);
  }

  @Test
  void aScheduleThatAnotherTransactionHoldsIsSkipped() throws SQLException {
    put("it", "* * * * *");
    anHourAhead();
    try (var other = database.connectAsAdministrator();
        var statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("SELECT name FROM leasehold.schedule FOR UPDATE");

      firing.heal();
    }
    assertThat(ask("rewinds")).containsExactly("0");
  }

  @Test
  void anInvalidScheduleDelaysNoOther() {
    put("broken", "* * * * *");
    set("cron = 'never'");
    put("it", "* * * * *");
    anHourAhead();

    firing.heal();

    assertThat(next("it")).isBefore(Instant.now().plusSeconds(65));
    assertThat(next("broken")).isAfter(Instant.now().plusSeconds(65));
  }

  /** More of them than are healed by one transaction. */
  @Test
  void anyNumberOfSchedulesContinuesFromNow() {
    put("it", "* * * * *");
    Firing.ask(
        database,
        """
        INSERT INTO leasehold.schedule (tenant_id, name, cron, zone, jitter_ms, missed, handler_id,
          queue, priority, max_attempts, input, metadata, principal, next_at)
        SELECT tenant_id, name || i, cron, zone, 0, missed, handler_id, queue, priority,
          max_attempts, input, metadata, principal, next_at
        FROM leasehold.schedule, generate_series(1, 600) AS i WHERE tenant_id = '%s'
        """
            .formatted(caller.tenant()));
    anHourAhead();

    firing.heal();

    assertThat(ask("DISTINCT rewinds")).containsExactly("1");
  }

  private void put(String name, String cron) {
    firing.schedules().put(caller, ScheduleRequest.of(name, cron, REPORT.request("of it")));
  }

  private Instant next(String name) {
    return firing.schedules().find(caller, name).orElseThrow().nextAt().orElseThrow();
  }

  /** On every day. */
  private static String inHalfAnHour() {
    var time = Instant.now().plus(Duration.ofMinutes(30)).atOffset(ZoneOffset.UTC);
    return "%d %d * * *".formatted(time.getMinute(), time.getHour());
  }

  private void anHourAhead() {
    set("next_at = greatest(next_at, date_trunc('second', now() + interval '1 h'))");
    set("reckoned_at = now() + interval '1 h'");
  }

  private void set(String columns) {
    Firing.ask(
        database,
        "UPDATE leasehold.schedule SET %s WHERE tenant_id = '%s'"
            .formatted(columns, caller.tenant()));
  }

  private List<String> ask(String column) {
    return Firing.ask(
        database,
        "SELECT %s FROM leasehold.schedule WHERE tenant_id = '%s'"
            .formatted(column, caller.tenant()));
  }

  private List<String> jobs() {
    return Firing.ask(
        database, "SELECT id FROM leasehold.job WHERE tenant_id = '%s'".formatted(caller.tenant()));
  }
}
