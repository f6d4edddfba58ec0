package io.leasehold.engine.time.delayed;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.leasehold.engine.LogLines;
import io.leasehold.engine.maintenance.TestQueue;
import io.leasehold.engine.metrics.Measuring;
import io.leasehold.engine.metrics.SignsOfLife;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class WatchClockTest {

  @RegisterExtension static final TestQueue queue = new TestQueue();

  @RegisterExtension final LogLines lines = new LogLines();

  private static final Duration LATELY = Duration.ofMinutes(15);

  private final SignsOfLife signs = Measuring.signsOfLife();
  private final WatchClock clock = new WatchClock(queue.transactions(), signs);

  @BeforeEach
  void noStepIsKnown() throws SQLException {
    queue.run("UPDATE leasehold.clock SET seen_at = now(), back_at = NULL, back_by = NULL");
  }

  @Test
  void theTimeOfTheClockIsNoted() throws SQLException {
    queue.run("UPDATE leasehold.clock SET seen_at = now() - interval '1 min'");

    clock.look();

    assertThat(queue.ask("SELECT seen_at > now() - interval '5 s' FROM leasehold.clock"))
        .containsExactly(true);
    assertThat(signs.clockWentBackBy(LATELY)).isEmpty();
  }

  @Test
  void aStepBackIsReportedWithItsSize() throws SQLException {
    queue.run("UPDATE leasehold.clock SET seen_at = now() + interval '1 h'");

    clock.look();

    assertThat(signs.clockWentBackBy(LATELY).orElseThrow())
        .isBetween(Duration.ofMinutes(59), Duration.ofMinutes(60));
    assertThat(queue.ask("SELECT seen_at <= clock_timestamp() FROM leasehold.clock"))
        .containsExactly(true);
  }

  @Test
  void aStepIsLoggedOnceByEachProcess() throws SQLException {
    queue.run("UPDATE leasehold.clock SET seen_at = now() + interval '1 h'");
    var another = new WatchClock(queue.transactions(), Measuring.signsOfLife());

    clock.look();
    clock.look();
    another.look();

    assertThat(lines.all().filter(line -> line.getLevel().equals(Level.WARN)).map(LogLines::text))
        .hasSize(2)
        .allMatch(line -> line.startsWith("the clock of the database went back by PT59M59"));
  }

  @Test
  void aCorrectionByLessThanASecondIsNoStep() throws SQLException {
    queue.run("UPDATE leasehold.clock SET seen_at = clock_timestamp() + interval '900 ms'");

    clock.look();

    assertThat(signs.clockWentBackBy(LATELY)).isEmpty();
  }

  @Test
  void aProcessThatStartsLaterLearnsOfTheStep() throws SQLException {
    queue.run(
        "UPDATE leasehold.clock SET back_at = now() - interval '5 min', back_by = interval '1 h'");

    clock.look();

    assertThat(signs.clockWentBackBy(LATELY)).contains(Duration.ofHours(1));
    assertThat(signs.clockWentBackBy(Duration.ofMinutes(4))).isEmpty();
  }

  /** For an hour longer than the step, since others may have held rows when these were healed. */
  @Test
  void rowsMayBeAheadForAnHourLongerThanTheStep() throws SQLException {
    queue.run(
        "UPDATE leasehold.clock SET back_at = now() - interval '1 h 50 min',"
            + " back_by = interval '1 h'");
    assertThat(mayBeAhead()).isTrue();

    queue.run("UPDATE leasehold.clock SET back_at = now() - interval '2 h 10 min'");
    assertThat(mayBeAhead()).isFalse();
  }

  private boolean mayBeAhead() {
    return clock.lookBefore(mayBeAhead -> mayBeAhead);
  }

  @Test
  void aProcessDoesNotWaitForAnothersNote() throws SQLException {
    queue.run("UPDATE leasehold.clock SET seen_at = now() - interval '1 min'");
    try (var engine = queue.asEngine()) {
      TestQueue.ask(engine, "SELECT one FROM leasehold.clock FOR UPDATE");

      clock.look();

      assertThat(queue.ask("SELECT seen_at < now() - interval '50 s' FROM leasehold.clock"))
          .containsExactly(true);
    }
  }
}
