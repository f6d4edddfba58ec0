package io.leasehold.engine.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.engine.kernel.WorkerId;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TakeLeadTest {

  @RegisterExtension static final TestQueue queue = new TestQueue();

  private final WorkerId one = WorkerId.random();
  private final WorkerId other = WorkerId.random();

  @Test
  void givesOneWorkerTheLead() {
    assertThat(take(one)).isTrue();
    assertThat(take(other)).isFalse();
  }

  @Test
  void letsTheLeaderContinue() throws SQLException {
    take(one);
    pass("30 s");

    assertThat(take(one)).isTrue();
    pass("40 s");
    assertThat(take(other)).isFalse();
  }

  @Test
  void replacesADeadLeader() throws SQLException {
    take(one);
    pass("61 s");

    assertThat(take(other)).isTrue();
    assertThat(take(one)).isFalse();
  }

  /** As after the database's clock went back by an hour. */
  @Test
  void replacesALeaderWhoseLeadEndsLaterThanAnyNewOne() throws SQLException {
    take(one);
    pass("-1 h");

    assertThat(take(other)).isTrue();
    assertThat(take(one)).isFalse();
  }

  @Test
  void keepsALeaderWhoseLeadLastsForTwoPeriods() throws SQLException {
    take(one);
    pass("-59 s");

    assertThat(take(other)).isFalse();
  }

  @Test
  void replacesALeaderWhoseLeadIsLongerThanTwoPeriods() throws SQLException {
    take(one);
    pass("-61 s");

    assertThat(take(other)).isTrue();
  }

  @Test
  void replacesALeaderThatResigns() {
    take(one);

    queue.transactions().asEngine(tx -> GiveUpLead.all(tx, one));

    assertThat(take(other)).isTrue();
  }

  @Test
  void anotherWorkerCanLeadAnotherDuty() {
    take(one);

    assertThat(take(other, "another")).isTrue();
  }

  @Test
  void givesTheLeadToOneOfTwoConcurrentWorkers() throws SQLException {
    take(WorkerId.random());
    pass("61 s");

    var second =
        queue
            .transactions()
            .asEngine(
                tx -> {
                  assertThat(TakeLead.take(tx, "duty", one, Duration.ofMinutes(1))).isTrue();
                  var waiting = CompletableFuture.supplyAsync(() -> take(other));
                  await().until(TakeLeadTest::somebodyWaits);
                  return waiting;
                });

    assertThat(second.join()).isFalse();
  }

  private static boolean somebodyWaits() throws SQLException {
    return !queue
        .ask(
            "SELECT pid FROM pg_stat_activity"
                + " WHERE datname = current_database() AND wait_event_type = 'Lock'")
        .isEmpty();
  }

  private static boolean take(WorkerId worker) {
    return take(worker, "duty");
  }

  private static boolean take(WorkerId worker, String duty) {
    return queue
        .transactions()
        .asEngine(tx -> TakeLead.take(tx, duty, worker, Duration.ofMinutes(1)));
  }

  private static void pass(String time) throws SQLException {
    queue.run("UPDATE leasehold.leader SET until = until - ?::interval", time);
  }
}
