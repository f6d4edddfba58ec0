package io.leasehold.engine.upkeep.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.claim.WorkerId;
import io.leasehold.engine.upkeep.TestQueue;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RegistryTest {

  @RegisterExtension static final TestQueue queue = new TestQueue();

  private static final Duration A_MINUTE = Duration.ofMinutes(1);

  private final WorkerId worker = WorkerId.random();

  @Test
  void tellsWhoWorksOnWhat() throws SQLException {
    registry().signIn();

    assertThat(
            queue.ask(
                "SELECT concat_ws(' ', name, version, queues, capacity, stale)"
                    + " FROM leasehold.worker WHERE id = ?",
                worker.value()))
        .containsExactly("host 7 2.1 {mail,reports} 60 f");
  }

  @Test
  void keepsOneEntryForAWorkerThatSignsInAgain() throws SQLException {
    registry().signIn();
    fallSilent("10 s");

    registry().signIn();

    assertThat(queue.ask("SELECT seen_at - started_at >= interval '10 s' FROM leasehold.worker"))
        .containsExactly(true);
  }

  @Test
  void callsASilentWorkerStaleUntilItSpeaks() throws SQLException {
    registry().signIn();
    fallSilent("61 s");

    registry().tidy(A_MINUTE);
    assertThat(queue.ask("SELECT stale FROM leasehold.worker")).containsExactly(true);

    registry().signIn();
    assertThat(queue.ask("SELECT stale FROM leasehold.worker")).containsExactly(false);
  }

  @Test
  void leavesAWorkerAloneThatSpokeInTime() throws SQLException {
    registry().signIn();
    fallSilent("50 s");

    registry().tidy(A_MINUTE);

    assertThat(queue.ask("SELECT stale FROM leasehold.worker")).containsExactly(false);
  }

  @Test
  void forgetsAWorkerThatIsGoneForADay() throws SQLException {
    registry().signIn();
    fallSilent("25 h");

    registry().tidy(A_MINUTE);

    assertThat(queue.ask("SELECT id FROM leasehold.worker")).isEmpty();
  }

  @Test
  void strikesOffOnlyTheWorkerThatSignsOut() throws SQLException {
    registry().signIn();
    var other = WorkerId.random();
    registry(other).signIn();

    registry().signOut();

    assertThat(queue.ask("SELECT id FROM leasehold.worker")).containsExactly(other.value());
  }

  private Registry registry() {
    return registry(worker);
  }

  private static Registry registry(WorkerId worker) {
    return new Registry(
        queue.transactions(),
        worker,
        new Registration("host 7", "2.1", Set.of("reports", "mail"), 60));
  }

  private static void fallSilent(String time) throws SQLException {
    queue.run(
        "UPDATE leasehold.worker SET seen_at = seen_at - ?::interval,"
            + " started_at = started_at - ?::interval",
        time,
        time);
  }
}
