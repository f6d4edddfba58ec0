package io.leasehold.db.scope;

import static io.leasehold.db.acme.Tables.CUSTOMER;
import static io.leasehold.db.acme.Tables.ORDERS;
import static io.leasehold.db.scope.Ticket.TICKET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.row;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.trueCondition;
import static org.jooq.impl.DSL.val;

import io.leasehold.db.Acme;
import java.sql.SQLException;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The scoped DSL alone, with row level security switched off. */
class ScopedUpdateTest {

  @RegisterExtension static final ThreeTenants tenants = new ThreeTenants();

  record Update(String name, int rows, ToIntFunction<DSLContext> statement) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Update update(String name, int rows, ToIntFunction<DSLContext> statement) {
    return new Update(name, rows, statement);
  }

  static Stream<Update> updates() {
    var o = ORDERS;
    var a = ORDERS.as("a");
    var all = trueCondition();
    return Stream.of(
        update("all", 4, tx -> tx.update(o).set(o.NOTE, "x").where(all).execute()),
        update("some", 3, tx -> tx.update(o).set(o.NOTE, "x").where(o.TOTAL.eq(10)).execute()),
        update(
            "either",
            4,
            tx -> tx.update(o).set(o.NOTE, "x").where(o.TOTAL.gt(0).or(o.TOTAL.le(0))).execute()),
        update(
            "another's key",
            0,
            tx -> tx.update(TICKET).set(TICKET.title, "x").where(TICKET.number.eq(2)).execute()),
        update("alias", 4, tx -> tx.update(a).set(a.NOTE, "x").where(a.TOTAL.gt(0)).execute()),
        update(
            "narrowed",
            1,
            tx -> tx.update(o.where(o.TOTAL.eq(5))).set(o.NOTE, "x").where(all).execute()),
        update(
            "by name",
            4,
            tx ->
                tx.update(table(name("acme", "orders")))
                    .set(field(name("note"), SQLDataType.CLOB), "x")
                    .where(all)
                    .execute()),
        update(
            "from a table",
            3,
            tx ->
                tx.update(o)
                    .set(o.NOTE, CUSTOMER.NAME)
                    .from(CUSTOMER)
                    .where(CUSTOMER.ID.eq(o.CUSTOMER_ID))
                    .execute()),
        update(
            "from a table, joined by nothing",
            4,
            tx -> tx.update(o).set(o.NOTE, CUSTOMER.NAME).from(CUSTOMER).where(all).execute()),
        update(
            "from itself",
            4,
            tx -> tx.update(o).set(o.NOTE, a.NOTE).from(a).where(a.TOTAL.eq(5)).execute()),
        update(
            "to what a subquery says",
            4,
            tx ->
                tx.update(o)
                    .set(o.TOTAL, field(select(count()).from(a)))
                    .where(val(4).eq(select(count()).from(a)))
                    .execute()),
        update(
            "row",
            4,
            tx -> tx.update(o).set(row(o.NOTE, o.TOTAL), row("x", 1)).where(all).execute()),
        update("limit", 2, tx -> tx.update(o).set(o.NOTE, "x").where(all).limit(2).execute()),
        update(
            "own tenant named",
            4,
            tx -> tx.update(o).set(o.TENANT_ID, Acme.ANN.value()).where(all).execute()),
        update(
            "with an expression",
            4,
            tx ->
                tx.with("orders")
                    .as(select(val("fake").as("note")))
                    .update(o)
                    .set(o.NOTE, "x")
                    .where(all)
                    .execute()),
        update(
            "in an expression",
            4,
            tx ->
                tx.with("x")
                    .as(DSL.update(o).set(o.NOTE, "x").where(all).returning())
                    .selectFrom(table(name("x")))
                    .fetch()
                    .size()),
        update(
            "returning",
            4,
            tx -> tx.update(o).set(o.NOTE, "x").where(all).returning().fetch().size()),
        update(
            "record",
            0,
            tx -> {
              var ticket = tx.newRecord(TICKET);
              ticket.set(TICKET.number, 2);
              ticket.set(TICKET.title, "x");
              return ticket.update();
            }),
        update(
            "record that was read",
            1,
            tx -> {
              var ticket = tx.fetchSingle(TICKET, noCondition());
              ticket.set(TICKET.title, "x");
              return ticket.store();
            }),
        update(
            "batch of records",
            1,
            tx -> {
              var own = tx.newRecord(TICKET);
              own.set(TICKET.number, 1);
              own.set(TICKET.title, "x");
              var other = tx.newRecord(TICKET);
              other.set(TICKET.number, 2);
              other.set(TICKET.title, "x");
              return Stream.of(tx.batchUpdate(own, other).execute())
                  .mapToInt(n -> n[0] + n[1])
                  .sum();
            }),
        update(
            "batch of values",
            1,
            tx -> {
              var changed =
                  tx.batch(
                          tx.update(TICKET)
                              .set(TICKET.title, (String) null)
                              .where(TICKET.number.eq((Integer) null)))
                      .bind("x", 1)
                      .bind("x", 2)
                      .execute();
              return changed[0] + changed[1];
            }));
  }

  @ParameterizedTest
  @MethodSource("updates")
  void changesOwnRowsOnly(Update update) throws SQLException {
    var before = tenants.rowsOfOthers();

    int changed = tenants.ann(update.statement::applyAsInt);

    assertThat(changed).isEqualTo(update.rows);
    assertThat(tenants.rowsOfOthers()).isEqualTo(before);
    assertThat(tenants.rowsOf(Acme.ANN)).doesNotContain(Acme.BOB.toString());
  }
}
