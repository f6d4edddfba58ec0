package io.leasehold.db.scope;

import static io.leasehold.db.acme.Tables.CUSTOMER;
import static io.leasehold.db.acme.Tables.ORDERS;
import static io.leasehold.db.acme.Tables.ORDER_V;
import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.all;
import static org.jooq.impl.DSL.array;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.exists;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.max;
import static org.jooq.impl.DSL.multiset;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.rollup;
import static org.jooq.impl.DSL.row;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectFrom;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.sum;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.val;

import io.leasehold.db.Acme;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.ResultQuery;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The scoped DSL alone, with row level security switched off. */
class ScopedSelectTest {

  @RegisterExtension static final ThreeTenants tenants = new ThreeTenants();

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
        shape(
            "by name of an expression",
            4,
            tx -> tx.with("x").as(selectFrom(ORDERS)).selectFrom(table(name("x")))),
        shape(
            "by name of an expression in another",
            4,
            tx ->
                tx.with("x")
                    .as(selectFrom(ORDERS))
                    .with("y")
                    .as(selectFrom(table(name("x"))))
                    .selectFrom(table(name("y")))),
        shape(
            "expression called like the table",
            4,
            tx -> tx.with("orders").as(selectFrom(ORDERS)).selectFrom(table(name("orders")))),
        shape(
            "table beside an expression called like it",
            4,
            tx -> tx.with("orders").as(select(val("fake").as("note"))).selectFrom(ORDERS)),
        shape("alias with columns", 4, tx -> tx.selectFrom(ORDERS.as("a", "t", "i"))),
        shape("alias of an alias", 4, tx -> tx.selectFrom(ORDERS.as("a").as("b"))),
        shape("rows as values", 4, tx -> tx.select(ORDERS).from(ORDERS)),
        shape("multiset", 4, tx -> tx.select(o.NOTE, multiset(select(c.NAME).from(c))).from(o)),
        shape("array", 4, tx -> tx.select(o.NOTE, array(select(c.NAME).from(c))).from(o)),
        shape(
            "quantified",
            4,
            tx -> tx.select(o.NOTE).from(o).where(o.NOTE.ne(all(select(c.NAME).from(c))))),
        shape(
            "row in",
            3,
            tx ->
                tx.select(o.NOTE)
                    .from(o)
                    .where(
                        row(o.CUSTOMER_ID, o.NOTE)
                            .in(select(c.ID, c.TENANT_ID.cast(SQLDataType.CLOB)).from(c)))),
        shape("natural join", 3, tx -> tx.select(o.NOTE).from(o).naturalJoin(ORDERS)),
        shape("semi join", 3, tx -> tx.select(o.NOTE).from(o).leftSemiJoin(c).on(onCustomer)),
        shape("anti join", 1, tx -> tx.select(o.NOTE).from(o).leftAntiJoin(c).on(onCustomer)),
        shape(
            "cross apply", 12, tx -> tx.select(o.NOTE).from(o).crossApply(select(c.NAME).from(c))),
        shape(
            "nested joins",
            3,
            tx ->
                tx.select(o.NOTE)
                    .from(o)
                    .join(c.join(ORDERS).on(ORDERS.CUSTOMER_ID.eq(c.ID)))
                    .on(onCustomer)),
        shape(
            "to-one path, explicit",
            4,
            tx -> {
              var p = new CustomerOf(o);
              return tx.select(o.NOTE, p.name).from(o).leftJoin(p);
            }),
        shape(
            "path without its root",
            3,
            tx -> {
              var p = new CustomerOf(o);
              return tx.select(p.name).from(p);
            }),
        shape("view", 4, tx -> tx.select(ORDER_V.TENANT_ID).from(ORDER_V)),
        shape("except", 1, tx -> tx.select(o.NOTE).from(o).except(select(c.NAME).from(c))),
        shape(
            "grouping sets",
            2,
            tx ->
                tx.select(o.NOTE, count())
                    .from(o)
                    .groupBy(rollup(o.NOTE))
                    .having(o.NOTE.isNotNull().or(count().lt(9)))),
        shape(
            "narrowed table, joined",
            3,
            tx ->
                tx.select(o.NOTE)
                    .from(o.where(o.TOTAL.gt(0)))
                    .join(c.where(c.NAME.ne("")))
                    .on(onCustomer)),
        shape("narrowed table", 4, tx -> tx.selectFrom(ORDERS.where(ORDERS.TOTAL.gt(0)))),
        shape(
            "values beside it",
            4,
            tx -> tx.select(o.NOTE).from(o, org.jooq.impl.DSL.values(row(1)).as("v"))));
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void showsOwnRowsOnly(Shape shape) {
    var rows = tenants.ann(tx -> shape.query.apply(tx).fetch());

    assertThat(rows).hasSize(shape.rows);
    assertThat(rows.toString())
        .contains(Acme.ANN.toString())
        .doesNotContain(Acme.BOB.toString(), Acme.CAT.toString());
  }
}
