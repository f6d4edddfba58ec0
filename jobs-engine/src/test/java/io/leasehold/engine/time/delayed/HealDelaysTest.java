package io.leasehold.engine.time.delayed;

import static io.leasehold.engine.maintenance.TestQueue.today;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.maintenance.TestQueue;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Delays that were written before the database's clock went back by an hour. */
class HealDelaysTest {

  @RegisterExtension static final TestQueue queue = new TestQueue();

  @BeforeEach
  void noStepIsKnown() throws SQLException {
    queue.run("UPDATE leasehold.clock SET seen_at = now(), back_at = NULL, back_by = NULL");
  }

  @Test
  void aDelayOfFiveSecondsEndsAfterFiveSeconds() throws SQLException {
    delayed("now() + interval '1 h'", "5 s");

    assertThat(heal()).isEqualTo(1);

    assertThat(dueBetween("4 s", "5 s")).isTrue();
    assertThat(heal()).isZero();
  }

  /** Twenty of thirty minutes had passed when the clock went back. */
  @Test
  void aDelayEndsAfterItsRemainingTime() throws SQLException {
    queue.run(
        "UPDATE leasehold.clock SET seen_at = now(), back_at = now(), back_by = interval '1 h'");
    delayed("now() + interval '40 min'", "30 min");

    heal();

    assertThat(dueBetween("9 min 58 s", "10 min")).isTrue();
  }

  @Test
  void aDelayThatHadEndedBeforeTheStepEndsNow() throws SQLException {
    queue.run(
        "UPDATE leasehold.clock SET seen_at = now(), back_at = now(), back_by = interval '1 h'");
    delayed("now() + interval '40 min'", "10 min");

    heal();

    assertThat(dueBetween("-5 s", "0 s")).isTrue();
  }

  /** What is known of another step says nothing about this one. */
  @Test
  void aDelayWrittenAfterTheLastSeenTimeIsCountedFromNow() throws SQLException {
    queue.run(
        "UPDATE leasehold.clock SET seen_at = now(), back_at = now() - interval '3 h',"
            + " back_by = interval '2 h'");
    delayed("now() + interval '1 h'", "10 min");

    heal();

    assertThat(dueBetween("9 min 58 s", "10 min")).isTrue();
  }

  @Test
  void aDelayThatWasWrittenInThePastIsLeft() throws SQLException {
    delayed("now() - interval '10 min'", "2 h");
    delayed("now()", "1 h");

    assertThat(heal()).isZero();
  }

  /** By as much a clock may be corrected. */
  @Test
  void aDelayThatWasWrittenLessThanASecondAheadIsLeft() throws SQLException {
    delayed("now() + interval '900 ms'", "1 h");

    assertThat(heal()).isZero();
  }

  @Test
  void aDelayThatAnotherTransactionHoldsIsSkipped() throws SQLException {
    delayed("now() + interval '1 h'", "5 s");
    try (var engine = queue.asEngine()) {
      TestQueue.ask(engine, "SELECT id FROM leasehold.scheduled FOR UPDATE");

      assertThat(heal()).isZero();
    }
  }

  /** It is stored last. */
  @Test
  void theDelayThatWasWrittenFirstIsHealedFirst() throws SQLException {
    var later = delayed("now() + interval '2 h'", "5 s");
    delayed("now() + interval '1 h'", "5 s");

    assertThat(heal(1)).isEqualTo(1);

    assertThat(
            queue.ask(
                "SELECT id FROM leasehold.scheduled WHERE written_at > now()"
                    + " + interval '1 s'"))
        .containsExactly(later);
  }

  @Test
  void delaysWrittenAheadAreFoundByTheirIndex() throws SQLException {
    try (var engine = queue.asEngine()) {
      TestQueue.ask(engine, "SELECT set_config('enable_seqscan', 'off', true)");
      var plan =
          TestQueue.ask(
              engine,
              "EXPLAIN SELECT ctid FROM leasehold.scheduled WHERE written_at > now() +"
                  + " interval '1 s' AND written_at > clock_timestamp() ORDER BY written_at, id"
                  + " LIMIT 10 FOR NO KEY UPDATE SKIP LOCKED");

      assertThat(plan.toString()).contains("Index Cond: (written_at >");
    }
  }

  private static UUID delayed(String writtenAt, String delay) throws SQLException {
    var id = queue.scheduled(today(), 0);
    queue.run(
        """
        UPDATE leasehold.scheduled
        SET written_at = %1$s, available_at = %1$s + interval '%2$s' WHERE id = ?\
        """
            .formatted(writtenAt, delay),
        id);
    return id;
  }

  private static boolean dueBetween(String least, String most) throws SQLException {
    return queue
        .ask(
            """
            SELECT available_at BETWEEN now() + interval '%s' AND now() + interval '%s'
            FROM leasehold.scheduled\
            """
                .formatted(least, most))
        .equals(List.of(true));
  }

  private static int heal() {
    return heal(10);
  }

  private static int heal(int limit) {
    return queue.transactions().asEngine(tx -> HealDelays.heal(tx, limit));
  }
}
