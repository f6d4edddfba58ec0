package io.leasehold.db.scope;

import static io.leasehold.db.acme.Tables.CUSTOMER;
import static io.leasehold.db.acme.Tables.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.exists;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.max;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectFrom;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.sum;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.val;

import io.leasehold.db.Acme;
import io.leasehold.db.SecureDatabase;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.ResultQuery;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The scoped DSL alone, with row level security switched off. */
class ScopedSelectTest {

  @RegisterExtension static final Acme acme = new Acme();

  private static SecureDatabase database;

  @BeforeAll
  static void threeTenantsWithAlikeRows() throws SQLException {
    database = acme.open();
    acme.disableRowLevelSecurity();
    for (var tenant : List.of(Acme.ANN, Acme.BOB, Acme.CAT)) {
      acme.execute(
          """
          INSERT INTO acme.customer SELECT '%1$s', gen_random_uuid(), 'customer ' || n || ' of %1$s'
          FROM generate_series(1, 3) n;
          INSERT INTO acme.orders (tenant_id, customer_id, code, total, note)
          SELECT tenant_id, id, 'code ' || left(name, 10), 10, tenant_id FROM acme.customer
          WHERE tenant_id = '%1$s';
          INSERT INTO acme.orders (tenant_id, code, total, note)
          VALUES ('%1$s', 'without customer', 5, '%1$s');
          """
              .formatted(tenant));
    }
  }

  @AfterAll
  static void close() {
    database.close();
  }

  record Shape(String name, int rows, Function<DSLContext, ResultQuery<? extends Record>> query) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Shape shape(
      String name, int rows, Function<DSLContext, ResultQuery<? extends Record>> query) {
    return new Shape(name, rows, query);
  }

  static Stream<Shape> shapes() {
    var o = ORDERS.as("o");
    var c = CUSTOMER.as("c");
    var onCustomer = o.CUSTOMER_ID.eq(c.ID);
    return Stream.of(
        shape("table", 4, tx -> tx.selectFrom(ORDERS)),
        shape("columns", 4, tx -> tx.select(ORDERS.NOTE, ORDERS.ID).from(ORDERS)),
        shape("asterisk", 4, tx -> tx.select(ORDERS.asterisk()).from(ORDERS)),
        shape("alias", 4, tx -> tx.select(o.NOTE).from(o).where(o.TOTAL.gt(0))),
        shape("order", 4, tx -> tx.select(ORDERS.NOTE).from(ORDERS).orderBy(ORDERS.ID)),
        shape("inner join", 3, tx -> tx.select(o.NOTE, c.NAME).from(o).join(c).on(onCustomer)),
        shape("join without condition", 12, tx -> tx.select(o.NOTE, c.NAME).from(o).crossJoin(c)),
        shape("from two tables", 12, tx -> tx.select(o.NOTE, c.NAME).from(o, c)),
        shape("left join", 4, tx -> tx.select(o.NOTE, c.NAME).from(o).leftJoin(c).on(onCustomer)),
        shape(
            "left join on true",
            12,
            tx -> tx.select(o.NOTE, c.NAME).from(o).leftJoin(c).on(val(true).isTrue())),
        shape("right join", 3, tx -> tx.select(o.NOTE, c.NAME).from(o).rightJoin(c).on(onCustomer)),
        shape("full join", 4, tx -> tx.select(o.NOTE, c.NAME).from(o).fullJoin(c).on(onCustomer)),
        shape(
            "join by unaliased names",
            3,
            tx ->
                tx.select(ORDERS.NOTE, CUSTOMER.NAME)
                    .from(ORDERS.join(CUSTOMER).on(ORDERS.CUSTOMER_ID.eq(CUSTOMER.ID)))),
        shape(
            "subquery in where",
            3,
            tx ->
                tx.select(ORDERS.NOTE)
                    .from(ORDERS)
                    .where(ORDERS.CUSTOMER_ID.in(select(CUSTOMER.ID).from(CUSTOMER)))),
        shape(
            "exists",
            4,
            tx -> tx.select(ORDERS.NOTE).from(ORDERS).where(exists(selectOne().from(CUSTOMER)))),
        shape(
            "subquery in select",
            4,
            tx -> tx.select(o.NOTE, field(select(max(c.NAME)).from(c))).from(o)),
        shape("derived table", 4, tx -> tx.selectFrom(selectFrom(ORDERS).asTable("d"))),
        shape(
            "lateral",
            12,
            tx ->
                tx.select(o.NOTE, field(name("l", "name")))
                    .from(o, lateral(select(c.NAME).from(c)).as("l"))),
        shape("union", 7, tx -> tx.select(o.NOTE).from(o).unionAll(select(c.NAME).from(c))),
        shape(
            "common table expression",
            4,
            tx -> {
              var cte = name("cte").as(select(ORDERS.NOTE).from(ORDERS));
              return tx.with(cte).selectFrom(cte);
            }),
        shape(
            "recursive expression",
            8,
            tx -> {
              var step = field(name("t", "step"), SQLDataType.INTEGER);
              var note = field(name("t", "note"), SQLDataType.CLOB);
              var cte =
                  name("t")
                      .fields("note", "step")
                      .as(
                          select(ORDERS.NOTE, val(1))
                              .from(ORDERS)
                              .unionAll(
                                  select(note, step.plus(1))
                                      .from(table(name("t")))
                                      .where(step.lt(2))));
              return tx.withRecursive(cte).selectFrom(cte);
            }),
        shape(
            "group by",
            1,
            tx -> tx.select(ORDERS.NOTE, sum(ORDERS.TOTAL)).from(ORDERS).groupBy(ORDERS.NOTE)),
        shape("window", 4, tx -> tx.select(ORDERS.NOTE, count().over().as("n")).from(ORDERS)),
        shape("for update", 4, tx -> tx.selectFrom(ORDERS).forUpdate().skipLocked()),
        shape("for update of", 4, tx -> tx.selectFrom(o).forUpdate().of(o)),
        shape("by name", 4, tx -> tx.selectFrom(table(name("acme", "orders")))),
        shape("narrowed table", 4, tx -> tx.selectFrom(ORDERS.where(ORDERS.TOTAL.gt(0)))),
        shape(
            "values beside it",
            4,
            tx ->
                tx.select(o.NOTE)
                    .from(o, org.jooq.impl.DSL.values(org.jooq.impl.DSL.row(1)).as("v"))));
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void showsOwnRowsOnly(Shape shape) {
    var rows = database.asTenant(Acme.of(Acme.ANN), tx -> shape.query.apply(tx.dsl()).fetch());

    assertThat(rows).hasSize(shape.rows);
    assertThat(rows.toString())
        .contains(Acme.ANN.toString())
        .doesNotContain(Acme.BOB.toString(), Acme.CAT.toString());
  }
}
