package io.leasehold.db.scope;

import static io.leasehold.db.acme.Tables.CUSTOMER;
import static io.leasehold.db.acme.Tables.ORDERS;
import static io.leasehold.db.scope.Ticket.TICKET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.max;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.trueCondition;

import io.leasehold.db.Acme;
import java.sql.SQLException;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The scoped DSL alone, with row level security switched off. */
class ScopedDeleteTest {

  @RegisterExtension static final ThreeTenants tenants = new ThreeTenants();

  record Delete(String name, int rows, ToIntFunction<DSLContext> statement) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Delete delete(String name, int rows, ToIntFunction<DSLContext> statement) {
    return new Delete(name, rows, statement);
  }

  static Stream<Delete> deletes() {
    var o = ORDERS;
    var a = ORDERS.as("a");
    var all = trueCondition();
    return Stream.of(
        delete("all", 4, tx -> tx.deleteFrom(o).where(all).execute()),
        delete("some", 1, tx -> tx.deleteFrom(o).where(o.TOTAL.eq(5)).execute()),
        delete("either", 4, tx -> tx.deleteFrom(o).where(o.ID.gt(0L).or(o.ID.le(0L))).execute()),
        delete(
            "another's key", 0, tx -> tx.deleteFrom(TICKET).where(TICKET.number.eq(2)).execute()),
        delete("alias", 4, tx -> tx.deleteFrom(a).where(a.TOTAL.gt(0)).execute()),
        delete("narrowed", 1, tx -> tx.deleteFrom(o.where(o.TOTAL.eq(5))).where(all).execute()),
        delete(
            "by name", 4, tx -> tx.deleteFrom(table(name("acme", "orders"))).where(all).execute()),
        delete(
            "using",
            3,
            tx -> tx.deleteFrom(o).using(CUSTOMER).where(CUSTOMER.ID.eq(o.CUSTOMER_ID)).execute()),
        delete(
            "using, joined by nothing",
            4,
            tx -> tx.deleteFrom(o).using(CUSTOMER).where(all).execute()),
        delete("using itself", 4, tx -> tx.deleteFrom(o).using(a).where(a.ID.eq(o.ID)).execute()),
        delete(
            "subquery",
            1,
            tx -> tx.deleteFrom(o).where(o.ID.eq(select(max(a.ID)).from(a))).execute()),
        delete("limit", 2, tx -> tx.deleteFrom(o).where(all).orderBy(o.ID).limit(2).execute()),
        delete("returning", 4, tx -> tx.deleteFrom(o).where(all).returning(o.ID).fetch().size()),
        delete(
            "in an expression",
            4,
            tx ->
                tx.with("x")
                    .as(DSL.deleteFrom(o).where(all).returning())
                    .selectFrom(table(name("x")))
                    .fetch()
                    .size()),
        delete(
            "record",
            0,
            tx -> {
              var ticket = tx.newRecord(TICKET);
              ticket.set(TICKET.number, 2);
              return ticket.delete();
            }),
        delete(
            "batch of records",
            1,
            tx -> {
              var own = tx.newRecord(TICKET);
              own.set(TICKET.number, 1);
              var other = tx.newRecord(TICKET);
              other.set(TICKET.number, 2);
              var deleted = tx.batchDelete(own, other).execute();
              return deleted[0] + deleted[1];
            }));
  }

  @ParameterizedTest
  @MethodSource("deletes")
  void deletesOwnRowsOnly(Delete delete) throws SQLException {
    var before = tenants.rowsOfOthers();
    var rows = tenants.countOf(Acme.ANN);

    int deleted = tenants.ann(delete.statement::applyAsInt);

    assertThat(deleted).isEqualTo(delete.rows);
    assertThat(tenants.countOf(Acme.ANN)).isEqualTo(rows - delete.rows);
    assertThat(tenants.rowsOfOthers()).isEqualTo(before);
  }
}
