package io.leasehold.engine.maintenance.rescue;

import static io.leasehold.engine.maintenance.TestQueue.today;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.maintenance.TestQueue;
import io.leasehold.engine.work.lease.OrphanJobs;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Leases that were renewed before the database's clock went back by an hour. */
class ShortenLeasesTest {

  @RegisterExtension static final TestQueue queue = new TestQueue();

  private static final int AN_HOUR = 3_600;
  private static final int MILLIS = 1_000;

  private final UUID worker = UUID.randomUUID();

  @Test
  void aLeaseFromBeforeAStepBackLastsForItsLengthFromNow() throws SQLException {
    leased("requeue", AN_HOUR + 60, 60);
    var earliest = "SELECT locked_until >= now() + interval '55 s' FROM leasehold.lease";
    var latest = "SELECT locked_until <= now() + interval '60 s' FROM leasehold.lease";

    assertThat(shorten()).isEqualTo(1);

    assertThat(queue.ask(earliest)).containsExactly(true);
    assertThat(queue.ask(latest)).containsExactly(true);
    assertThat(shorten()).isZero();
  }

  @Test
  void aLivingWorkerKeepsItsJob() throws SQLException {
    var id = leased("requeue", AN_HOUR + 60, 60);

    shorten();
    rescue();

    assertThat(queue.traces(id)).containsOnlyKeys("job", "lease");
  }

  @Test
  void aLostJobIsRescuedAfterALease() throws SQLException {
    var id = leased("requeue", AN_HOUR + 60, 60);

    shorten();
    pass("61 s");
    rescue();

    assertThat(queue.traces(id)).containsKey("ready");
  }

  @Test
  void aLostAdoptableJobIsOrphanedAfterALease() throws SQLException {
    leased("adopt", AN_HOUR + 60, 60);

    shorten();
    pass("61 s");

    var orphans = queue.transactions().asEngine(tx -> OrphanJobs.lost(tx, 10));
    assertThat(orphans).hasSize(1);
  }

  /** However much shorter the leases are of the process that looks. */
  @Test
  void aLeaseThatLastsForAnHourIsLeft() throws SQLException {
    leased("requeue", AN_HOUR, AN_HOUR);

    assertThat(shorten()).isZero();
  }

  @Test
  void aLeaseThatWasRenewedMeanwhileIsLeft() throws SQLException {
    leased("requeue", 60, 60);

    var shortened =
        queue
            .transactions()
            .asEngine(
                tx -> {
                  tx.selectOne().fetch(); // The transaction has its time.
                  renewLater();
                  return ShortenLeases.shorten(tx, 10);
                });

    assertThat(shortened).isZero();
  }

  // As a renewal is for a transaction that began nearly a lease ago.
  private static void renewLater() {
    try {
      queue.run(
          "UPDATE leasehold.lease SET locked_until = clock_timestamp() + 2 * length_ms * interval"
              + " '1 ms'");
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aLeaseWithoutALengthIsLeft() throws SQLException {
    queue.leased(today(), worker, 1, "requeue", AN_HOUR);

    assertThat(shorten()).isZero();
  }

  @Test
  void aLeaseThatAnotherTransactionHoldsIsSkipped() throws SQLException {
    leased("requeue", AN_HOUR + 60, 60);
    try (var engine = queue.asEngine()) {
      TestQueue.ask(engine, "SELECT id FROM leasehold.lease FOR UPDATE");

      assertThat(shorten()).isZero();
    }
  }

  /** It is stored last. */
  @Test
  void theLeaseThatEndsFirstIsShortenedFirst() throws SQLException {
    var later = leased("requeue", 2 * AN_HOUR, 60);
    leased("requeue", AN_HOUR, 60);

    assertThat(shorten(1)).isEqualTo(1);

    assertThat(
            queue.ask(
                "SELECT id FROM leasehold.lease WHERE locked_until > now() + interval '30 min'"))
        .containsExactly(later);
  }

  private UUID leased(String whenLost, int seconds, int length) throws SQLException {
    var id = queue.leased(today(), worker, 1, whenLost, seconds);
    queue.run("UPDATE leasehold.lease SET length_ms = ?", length * MILLIS);
    return id;
  }

  private static void pass(String time) throws SQLException {
    queue.run("UPDATE leasehold.lease SET locked_until = locked_until - ?::interval", time);
  }

  private static int shorten() {
    return shorten(10);
  }

  private static int shorten(int limit) {
    return queue.transactions().asEngine(tx -> ShortenLeases.shorten(tx, limit));
  }

  private static void rescue() {
    queue.transactions().asEngine(tx -> RescueJobs.rescue(tx, 10));
  }
}
