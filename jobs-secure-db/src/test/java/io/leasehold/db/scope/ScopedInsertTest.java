package io.leasehold.db.scope;

import static io.leasehold.db.acme.Tables.CUSTOMER;
import static io.leasehold.db.acme.Tables.ORDERS;
import static io.leasehold.db.scope.Ticket.TICKET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.excluded;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.row;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.val;

import io.leasehold.db.Acme;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The scoped DSL alone, with row level security switched off. */
class ScopedInsertTest {

  @RegisterExtension static final ThreeTenants tenants = new ThreeTenants();

  record Insert(String name, int rows, Consumer<DSLContext> statement) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Insert insert(String name, int rows, Consumer<DSLContext> statement) {
    return new Insert(name, rows, statement);
  }

  static Stream<Insert> inserts() {
    var t = TICKET;
    return Stream.of(
        insert("set", 1, tx -> tx.insertInto(t).set(t.number, 10).execute()),
        insert("values", 1, tx -> tx.insertInto(t, t.number).values(10).execute()),
        insert("rows", 2, tx -> tx.insertInto(t, t.number).values(10).values(11).execute()),
        insert(
            "list of rows",
            2,
            tx ->
                tx.insertInto(t, t.number, t.title)
                    .valuesOfRows(List.of(row(10, "a"), row(11, "b")))
                    .execute()),
        insert(
            "own tenant named",
            1,
            tx -> tx.insertInto(t, t.tenantId, t.number).values(Acme.ANN.value(), 10).execute()),
        insert(
            "all columns", 1, tx -> tx.insertInto(t).values(Acme.ANN.value(), 10, "x").execute()),
        insert("alias", 1, tx -> tx.insertInto(t.as("a")).set(t.number, 10).execute()),
        insert(
            "by name",
            1,
            tx ->
                tx.insertInto(table(name("acme", "ticket")))
                    .set(field(name("number"), SQLDataType.INTEGER), 10)
                    .execute()),
        insert(
            "select",
            1,
            tx -> tx.insertInto(t, t.number, t.title).select(select(val(10), val("x"))).execute()),
        insert(
            "select of two equal columns",
            1,
            tx ->
                tx.insertInto(ORDERS, ORDERS.CODE, ORDERS.NOTE)
                    .select(select(inline("x"), inline("x")))
                    .execute()),
        insert(
            "select with union, order and limit",
            3,
            tx ->
                tx.insertInto(ORDERS, ORDERS.CODE)
                    .select(
                        select(CUSTOMER.NAME)
                            .from(CUSTOMER)
                            .unionAll(select(ORDERS.NOTE.concat(ORDERS.CODE)).from(ORDERS))
                            .orderBy(1)
                            .limit(3))
                    .execute()),
        insert(
            "with an expression",
            3,
            tx ->
                tx.with("x")
                    .as(select(CUSTOMER.NAME).from(CUSTOMER))
                    .insertInto(ORDERS, ORDERS.CODE)
                    .select(select(field(name("x", "name"), String.class)).from(table(name("x"))))
                    .execute()),
        insert(
            "in an expression",
            1,
            tx ->
                tx.with("x")
                    .as(org.jooq.impl.DSL.insertInto(t).set(t.number, 10).returning())
                    .selectFrom(table(name("x")))
                    .fetch()),
        insert(
            "conflict ignored",
            0,
            tx -> tx.insertInto(t).set(t.number, 2).onConflictDoNothing().execute()),
        insert(
            "duplicate ignored",
            0,
            tx -> tx.insertInto(t).set(t.number, 2).onDuplicateKeyIgnore().execute()),
        insert(
            "conflict with another's row",
            0,
            tx ->
                tx.insertInto(t, t.number, t.title)
                    .values(2, "taken over")
                    .onConflict(t.number)
                    .doUpdate()
                    .setAllToExcluded()
                    .execute()),
        insert(
            "conflict with another's row on a constraint",
            0,
            tx ->
                tx.insertInto(t, t.number, t.title)
                    .values(2, "taken over")
                    .onConflictOnConstraint(name("ticket_pkey"))
                    .doUpdate()
                    .set(t.title, excluded(t.title))
                    .where(t.number.gt(0).or(t.number.le(0)))
                    .execute()),
        insert(
            "duplicate of another's row",
            0,
            tx ->
                tx.insertInto(t, t.number, t.title)
                    .values(2, "taken over")
                    .onDuplicateKeyUpdate()
                    .set(t.title, "taken over")
                    .execute()),
        insert(
            "conflict under an alias",
            0,
            tx ->
                tx.insertInto(t.as("a"), t.number, t.title)
                    .values(2, "taken over")
                    .onConflict(t.number)
                    .doUpdate()
                    .set(t.title, "taken over")
                    .execute()),
        insert(
            "record",
            1,
            tx -> {
              var ticket = tx.newRecord(TICKET);
              ticket.set(t.number, 10);
              ticket.insert();
            }),
        insert(
            "record stored",
            1,
            tx -> {
              var ticket = tx.newRecord(TICKET);
              ticket.set(t.number, 10);
              ticket.store();
            }),
        insert(
            "record merged over another's",
            0,
            tx -> {
              var ticket = tx.newRecord(TICKET);
              ticket.set(t.number, 2);
              ticket.set(t.title, "taken over");
              ticket.merge();
            }),
        insert(
            "batch of records",
            2,
            tx -> {
              var first = tx.newRecord(TICKET);
              first.set(t.number, 10);
              var second = tx.newRecord(TICKET);
              second.set(t.number, 11);
              tx.batchInsert(first, second).execute();
            }),
        insert(
            "batch of values",
            2,
            tx ->
                tx.batch(tx.insertInto(t, t.number, t.title).values((Integer) null, null))
                    .bind(10, "a")
                    .bind(11, "b")
                    .execute()),
        insert(
            "loaded",
            2,
            tx -> {
              try {
                tx.loadInto(TICKET)
                    .loadArrays(new Object[] {10, "a"}, new Object[] {11, "b"})
                    .fields(t.number, t.title)
                    .execute();
              } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            }));
  }

  @ParameterizedTest
  @MethodSource("inserts")
  void givesRowsTheOwnTenant(Insert insert) throws SQLException {
    var before = tenants.rowsOfOthers();
    var rows = tenants.countOf(Acme.ANN);

    tenants.annDoes(insert.statement);

    assertThat(tenants.countOf(Acme.ANN)).isEqualTo(rows + insert.rows);
    assertThat(tenants.rowsOfOthers()).isEqualTo(before);
  }

  @Test
  void updatesTheOwnRowOnConflict() throws SQLException {
    tenants.annDoes(
        tx ->
            tx.insertInto(TICKET, TICKET.number, TICKET.title)
                .values(1, "changed")
                .onConflict(TICKET.number)
                .doUpdate()
                .setAllToExcluded()
                .execute());

    assertThat(tenants.rowsOf(Acme.ANN)).contains("changed");
  }

  @Test
  void returnsWhatItInserted() {
    var returned =
        tenants.ann(
            tx ->
                tx.insertInto(ORDERS)
                    .set(ORDERS.CODE, "new")
                    .returningResult(ORDERS.TENANT_ID, ORDERS.ID, ORDERS.TOTAL)
                    .fetchSingle());

    assertThat(returned.value1()).isEqualTo(Acme.ANN.value());
    assertThat(returned.value2()).isPositive();
    assertThat(returned.value3()).isZero();
  }

  @Test
  void showsOwnRowsOnlyToWhatItReturns() {
    var seen =
        tenants.ann(
            tx ->
                tx.insertInto(TICKET)
                    .set(TICKET.number, 10)
                    .returningResult(field(org.jooq.impl.DSL.selectCount().from(ORDERS)))
                    .fetchSingle());

    assertThat(seen.value1()).isEqualTo(ThreeTenants.ORDERS_EACH);
  }
}
