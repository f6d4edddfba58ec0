package io.leasehold.db.guard;

import static io.leasehold.db.Acme.ANN;
import static io.leasehold.db.OpenAcme.setting;
import static io.leasehold.db.acme.Tables.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.array;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;

import io.leasehold.db.Acme;
import io.leasehold.db.OpenAcme;
import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import java.sql.Array;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class GuardedRowsTest {

  @RegisterExtension static final OpenAcme acme = new OpenAcme();

  @Test
  void haveArraysThatLeadNowhere() throws SQLException {
    acme.transactions()
        .asTenant(
            Acme.of(ANN),
            tx -> {
              var array = firstArray(tx);

              assertThat(array.getArray()).isEqualTo(new Integer[] {1, 2});
              assertThatThrownBy(array::getResultSet).isInstanceOf(JobsException.class);
              return 1;
            });
  }

  @Test
  void readArraysAsBefore() {
    var numbers =
        acme.transactions()
            .asTenant(
                Acme.of(ANN), tx -> tx.dsl().select(array(val(1), val(2))).fetchSingle().value1());

    assertThat(numbers).containsExactly(1, 2);
  }

  @Test
  void leaveTheOpeningToTheNextStatementWhereTheFirstWasNotSent() {
    var tenant =
        acme.transactions()
            .asTenant(
                Acme.of(ANN),
                tx -> {
                  assertThatThrownBy(() -> tx.selectFrom(ORDERS).fetchSize(-5).fetch())
                      .isInstanceOf(RuntimeException.class);
                  return setting(tx, "app.tenant_id");
                });

    assertThat(tenant).isEqualTo(ANN.toString());
  }

  @Test
  void doNotTellTheLastValueOfASequence() {
    assertThatThrownBy(
            () ->
                acme.transactions()
                    .asTenant(
                        Acme.of(ANN),
                        tx -> tx.dsl().fetch(select(function(name("lastval"), Long.class)))))
        .isInstanceOfSatisfying(
            JobsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STATEMENT_REFUSED));
  }

  private static Array firstArray(ScopedTransaction tx) throws SQLException {
    var rows = tx.dsl().select(array(val(1), val(2))).fetchResultSet();
    rows.next();
    return rows.getArray(1);
  }
}
