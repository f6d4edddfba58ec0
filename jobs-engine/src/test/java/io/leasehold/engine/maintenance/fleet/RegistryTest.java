package io.leasehold.engine.maintenance.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.engine.maintenance.TestQueue;
import io.leasehold.jobs.HandlerId;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RegistryTest {

  @RegisterExtension static final TestQueue queue = new TestQueue();

  private static final Duration A_MINUTE = Duration.ofMinutes(1);

  private static final HandlerId MAIL =
      new HandlerId("gts.x.core.jobs.handler.v1~acme.tests.registry.mail.v1");
  private static final HandlerId REPORT =
      new HandlerId("gts.x.core.jobs.handler.v1~acme.tests.registry.report.v1");

  private final WorkerId worker = WorkerId.random();
  private int running;

  @Test
  void listsWorkersWithTheirQueues() throws SQLException {
    registry().signIn();

    assertThat(
            queue.ask(
                "SELECT concat_ws(' ', name, version, queues, capacity, stale)"
                    + " FROM leasehold.worker WHERE id = ?",
                worker.value()))
        .containsExactly("host 7 2.1 {mail,reports} 60 f");
  }

  @Test
  void everyHeartbeatWritesTheLoad() throws SQLException {
    running = 3;
    registry().signIn();
    assertThat(queue.ask("SELECT running FROM leasehold.worker")).containsExactly(3);

    running = 7;
    registry().signIn();
    assertThat(queue.ask("SELECT running FROM leasehold.worker")).containsExactly(7);
  }

  @Test
  void keepsOneEntryForAWorkerThatSignsInAgain() throws SQLException {
    registry().signIn();
    fallSilent("10 s");

    registry().signIn();

    assertThat(queue.ask("SELECT seen_at - started_at >= interval '10 s' FROM leasehold.worker"))
        .containsExactly(true);
  }

  /**
   * As after the database's clock went back by an hour: one that is gone has to be stale in time.
   */
  @Test
  void treatsAHeartbeatInTheFutureAsNow() throws SQLException {
    registry().signIn();
    fallSilent("-1 h");

    registry().tidy(A_MINUTE);
    assertThat(queue.ask("SELECT stale FROM leasehold.worker")).containsExactly(false);
    assertThat(queue.ask("SELECT seen_at <= now() FROM leasehold.worker")).containsExactly(true);

    fallSilent("61 s");
    registry().tidy(A_MINUTE);
    assertThat(queue.ask("SELECT stale FROM leasehold.worker")).containsExactly(true);
  }

  @Test
  void aSilentWorkerIsStaleUntilItsNextHeartbeat() throws SQLException {
    registry().signIn();
    fallSilent("61 s");

    registry().tidy(A_MINUTE);
    assertThat(queue.ask("SELECT stale FROM leasehold.worker")).containsExactly(true);

    registry().signIn();
    assertThat(queue.ask("SELECT stale FROM leasehold.worker")).containsExactly(false);
  }

  @Test
  void aWorkerWithARecentHeartbeatIsLive() throws SQLException {
    registry().signIn();
    fallSilent("50 s");

    registry().tidy(A_MINUTE);

    assertThat(queue.ask("SELECT stale FROM leasehold.worker")).containsExactly(false);
  }

  @Test
  void removesAWorkerThatIsSilentForADay() throws SQLException {
    registry().signIn();
    fallSilent("25 h");

    registry().tidy(A_MINUTE);

    assertThat(queue.ask("SELECT id FROM leasehold.worker")).isEmpty();
  }

  @Test
  void removesOnlyTheWorkerThatSignsOut() throws SQLException {
    registry().signIn();
    var other = WorkerId.random();
    registry(other).signIn();

    registry().signOut();

    assertThat(queue.ask("SELECT id FROM leasehold.worker")).containsExactly(other.value());
  }

  @Test
  void listsTheHandlersOfAWorker() throws SQLException {
    registry().signIn();

    assertThat(queue.ask("SELECT concat_ws(' ', handlers, queues, slots) FROM leasehold.worker"))
        .containsExactly("{%s,%s} {mail,reports} {10,50}".formatted(MAIL, REPORT));
    assertThat(queue.ask("SELECT handler_id || ' ' || queue FROM leasehold.handler ORDER BY 1"))
        .containsExactly(MAIL + " mail", REPORT + " reports");
  }

  @Test
  void updatesAHandlerOnlyAfterAWhile() throws SQLException {
    registry().signIn();
    var written = queue.ask("SELECT xmin::text FROM leasehold.handler ORDER BY handler_id");

    registry(WorkerId.random()).signIn();
    assertThat(queue.ask("SELECT xmin::text FROM leasehold.handler ORDER BY handler_id"))
        .isEqualTo(written);

    queue.run("UPDATE leasehold.handler SET seen_at = seen_at - interval '2 min'");
    registry().signIn();
    assertThat(queue.ask("SELECT now() - seen_at < interval '1 min' FROM leasehold.handler"))
        .containsExactly(true, true);
  }

  @Test
  void keepsAHandlerForAMonth() throws SQLException {
    registry().signIn();
    queue.run(
        "UPDATE leasehold.handler SET seen_at = now() - interval '29 days' WHERE queue = 'mail'");
    queue.run(
        "UPDATE leasehold.handler SET seen_at = now() - interval '31 days' WHERE queue ="
            + " 'reports'");

    registry().tidy(A_MINUTE);

    assertThat(queue.ask("SELECT queue FROM leasehold.handler")).containsExactly("mail");
  }

  private Registry registry() {
    return registry(worker);
  }

  private Registry registry(WorkerId worker) {
    return new Registry(
        queue.transactions(),
        worker,
        new Registration(
            "host 7",
            "2.1",
            new TreeMap<>(Map.of("reports", 50, "mail", 10)),
            60,
            Map.of(REPORT, "reports", MAIL, "mail")),
        () -> running);
  }

  private static void fallSilent(String time) throws SQLException {
    queue.run(
        "UPDATE leasehold.worker SET seen_at = seen_at - ?::interval,"
            + " started_at = started_at - ?::interval",
        time,
        time);
  }
}
