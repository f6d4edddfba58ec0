package io.leasehold.db.transaction;

import static io.leasehold.db.Acme.ANN;
import static io.leasehold.db.OpenAcme.order;
import static io.leasehold.db.acme.Tables.ORDERS;
import static io.leasehold.db.transaction.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.db.Acme;
import io.leasehold.db.OpenAcme;
import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.TransactionOptions;
import io.leasehold.db.TransactionOptions.Isolation;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** When the whole of a transaction is run again. */
class RetryTest {

  @RegisterExtension
  static final OpenAcme acme = new OpenAcme(limits -> limits.tenantConnections(2));

  private static final TransactionOptions REPEATABLE =
      TransactionOptions.defaults().isolation(Isolation.REPEATABLE_READ);

  private final SecurityContext ann = Acme.of(ANN);
  private final AtomicInteger runs = new AtomicInteger();
  private final List<Integer> hooks = new ArrayList<>();

  @BeforeEach
  void twoOrders() throws SQLException {
    acme.acme()
        .execute(
            """
            DELETE FROM acme.orders;
            INSERT INTO acme.orders (tenant_id, code) VALUES ('%1$s', 'a'), ('%1$s', 'b')
            """
                .formatted(ANN));
  }

  private static int raise(ScopedTransaction tx, String code) {
    return tx.update(ORDERS)
        .set(ORDERS.TOTAL, ORDERS.TOTAL.plus(1))
        .where(ORDERS.CODE.eq(code))
        .execute();
  }

  private List<String> totals() throws SQLException {
    return acme.look("SELECT total FROM acme.orders ORDER BY code");
  }

  /** Meets another that changes the same row after this one's snapshot, as often as asked. */
  private int meetAnother(ScopedTransaction tx, int times) throws SQLException {
    var run = runs.incrementAndGet();
    tx.afterCommit(() -> hooks.add(run));
    tx.dsl().fetchCount(ORDERS);
    if (run <= times) {
      acme.acme().execute("UPDATE acme.orders SET total = total + 10 WHERE code = 'a'");
    }
    return raise(tx, "a");
  }

  @Test
  void runsAgainAfterASerializationFailure() throws SQLException {
    acme.transactions().asTenant(ann, REPEATABLE.attempts(3), tx -> meetAnother(tx, 2));

    assertThat(runs).hasValue(3);
    assertThat(totals()).containsExactly("21", "0");
    assertThat(hooks).containsExactly(3);
  }

  @Test
  void runsNoMoreOftenThanRequested() throws SQLException {
    assertFails(
        ErrorCode.SERIALIZATION_FAILURE,
        () -> acme.transactions().asTenant(ann, REPEATABLE.attempts(2), tx -> meetAnother(tx, 9)));

    assertThat(runs).hasValue(2);
    assertThat(totals()).containsExactly("20", "0");
    assertThat(hooks).isEmpty();
  }

  @Test
  void runsOnceByDefault() {
    assertFails(
        ErrorCode.SERIALIZATION_FAILURE,
        () -> acme.transactions().asTenant(ann, REPEATABLE, tx -> meetAnother(tx, 9)));

    assertThat(runs).hasValue(1);
  }

  @Test
  void doesNotRetryAPermanentError() {
    assertFails(
        ErrorCode.KEY_TAKEN,
        () ->
            acme.transactions()
                .asTenant(
                    ann,
                    REPEATABLE.attempts(5),
                    tx -> {
                      runs.incrementAndGet();
                      return order(tx, "a");
                    }));

    assertThat(runs).hasValue(1);
  }

  @Test
  void runsAgainAfterADeadlock() throws SQLException {
    var codes = deadlock(3);

    assertThat(codes).isEmpty();
    assertThat(runs).hasValue(3);
    assertThat(totals()).containsExactly("2", "2");
  }

  @Test
  void aDeadlockIsReportedToOneTransaction() throws SQLException {
    var codes = deadlock(1);

    assertThat(codes).containsExactly(ErrorCode.DEADLOCK);
    assertThat(totals()).containsExactly("1", "1");
  }

  /** Two that change the same rows in opposite order, each once the other holds its first. */
  private List<ErrorCode> deadlock(int attempts) {
    var bothHoldOne = new CountDownLatch(2);
    var options = TransactionOptions.defaults().attempts(attempts);
    var other = Threads.start(() -> cross(options, bothHoldOne, "b", "a"));
    var codes = new ArrayList<>(cross(options, bothHoldOne, "a", "b"));
    codes.addAll(Threads.result(other));
    return codes;
  }

  private List<ErrorCode> cross(
      TransactionOptions options, CountDownLatch bothHoldOne, String first, String second) {
    try {
      acme.transactions()
          .asTenant(
              Acme.of(ANN),
              options,
              tx -> {
                runs.incrementAndGet();
                raise(tx, first);
                bothHoldOne.countDown();
                assertThat(bothHoldOne.await(20, TimeUnit.SECONDS)).isTrue();
                return raise(tx, second);
              });
      return List.of();
    } catch (JobsException e) {
      return List.of(e.code());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
