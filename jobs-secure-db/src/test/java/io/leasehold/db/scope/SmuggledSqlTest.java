package io.leasehold.db.scope;

import static io.leasehold.db.acme.Tables.CUSTOMER;
import static io.leasehold.db.acme.Tables.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.aggregate;
import static org.jooq.impl.DSL.aggregateDistinct;
import static org.jooq.impl.DSL.array;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.generateSeries;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.mode;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.unnest;
import static org.jooq.impl.DSL.unquotedName;
import static org.jooq.impl.DSL.val;

import io.leasehold.db.Acme;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jooq.AggregateFunction;
import org.jooq.ConnectionProvider;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Ordinary jOOQ calls that once ran SQL of their author's own, or reached another table. */
class SmuggledSqlTest {

  @RegisterExtension static final ThreeTenants tenants = new ThreeTenants();

  private static final String ALL_NOTES = "select note from acme.orders";
  private static final String WORDS = "select to_tsvector(note) from acme.orders";

  record Attempt(String name, Function<DSLContext, @Nullable Object> statement) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static AggregateFunction<String> queryToXml() {
    return aggregate(
        "query_to_xml", String.class, inline(ALL_NOTES), inline(true), inline(false), inline(""));
  }

  static Stream<Attempt> functionsAsAggregates() {
    var setConfig =
        aggregate(
            name("pg_catalog", "set_config"),
            SQLDataType.CLOB,
            inline("app.tenant_id"),
            inline("x"),
            inline(true));
    return Stream.of(
        new Attempt("select", tx -> tx.select(queryToXml()).fetch()),
        new Attempt(
            "distinct",
            tx -> tx.select(aggregateDistinct("query_to_xml", String.class, val(1))).fetch()),
        new Attempt("qualified", tx -> tx.select(setConfig).fetch()),
        new Attempt("having", tx -> tx.selectOne().having(setConfig.isNotNull()).fetch()),
        new Attempt("over", tx -> tx.select(queryToXml().over()).fetch()),
        new Attempt(
            "filter", tx -> tx.select(queryToXml().filterWhere(val(1).eq(1))).from(ORDERS).fetch()),
        new Attempt("order", tx -> tx.selectOne().orderBy(queryToXml()).fetch()),
        new Attempt(
            "within group",
            tx -> tx.select(mode().withinGroupOrderBy(queryToXml())).from(ORDERS).fetch()),
        new Attempt(
            "table",
            tx ->
                tx.selectFrom(table(field(select(setConfig)).coerce(SQLDataType.RESULT))).fetch()),
        new Attempt(
            "generate_series",
            tx ->
                tx.selectFrom(generateSeries(val(1), setConfig.cast(SQLDataType.INTEGER)).as("g"))
                    .fetch()),
        new Attempt(
            "unnest", tx -> tx.selectFrom(unnest(array(queryToXml())).as("u", "v")).fetch()),
        new Attempt("insert", tx -> tx.insertInto(ORDERS).set(ORDERS.CODE, queryToXml()).execute()),
        new Attempt(
            "returning",
            tx ->
                tx.update(ORDERS)
                    .set(ORDERS.TOTAL, 1)
                    .where(ORDERS.TOTAL.gt(0))
                    .returningResult(queryToXml())
                    .fetch()));
  }

  @ParameterizedTest
  @MethodSource("functionsAsAggregates")
  void functionThatIsNotAllowedIsRefusedAsAnAggregate(Attempt attempt) throws SQLException {
    requireRefusal(attempt);
  }

  static Stream<Attempt> functionsAsFields() {
    var text = unnest(array(inline(WORDS))).as("t");
    var call = field(name("t", "ts_stat"));
    return Stream.of(
        new Attempt("of an array", tx -> tx.select(call).from(text).fetch()),
        new Attempt(
            "unquoted", tx -> tx.select(field(unquotedName("T", "TS_STAT"))).from(text).fetch()),
        new Attempt(
            "in a condition", tx -> tx.selectOne().from(text).where(call.isNotNull()).fetch()),
        new Attempt(
            "named like a column of the statement",
            tx -> tx.select(call, field(select(inline("x").as("ts_stat")))).from(text).fetch()),
        new Attempt(
            "of a column list",
            tx ->
                tx.select(field(name("t", "ts_stat")))
                    .from(unnest(array(inline(WORDS))).as("t", "c"))
                    .fetch()),
        new Attempt(
            "of a lateral",
            tx -> tx.select(call).from(lateral(unnest(array(inline(WORDS)))).as("t")).fetch()),
        new Attempt(
            "of a function",
            tx ->
                tx.select(call)
                    .from(table(function("upper", SQLDataType.RESULT, inline(WORDS))).as("t"))
                    .fetch()),
        new Attempt(
            "of a function without an alias",
            tx ->
                tx.select(field(name("upper", "ts_stat")))
                    .from(table(function("upper", SQLDataType.RESULT, inline(WORDS))))
                    .fetch()),
        new Attempt(
            "of numbers",
            tx ->
                tx.select(field(name("g", "pg_sleep")))
                    .from(generateSeries(1, 1).as("g"))
                    .fetch()));
  }

  @ParameterizedTest
  @MethodSource("functionsAsFields")
  void fieldCannotCallAFunction(Attempt attempt) throws SQLException {
    requireFailure(attempt);
  }

  static Stream<Attempt> wholeRows() {
    return Stream.of(
        wholeRow("to JSON", field(name("orders", "row_to_json"))),
        wholeRow("to JSON, unquoted", field(unquotedName("Orders", "Row_To_Json"))),
        wholeRow("to JSON, with the schema", field(name("acme", "orders", "row_to_json"))),
        wholeRow("by the table's name", field(name("orders"))),
        wholeRow("by an unquoted name", field(unquotedName("ORDERS"))),
        new Attempt("by an alias", tx -> tx.select(field(name("o"))).from(ORDERS.as("o")).fetch()),
        new Attempt(
            "in the order",
            tx -> tx.select(ORDERS.ID).from(ORDERS).orderBy(field(name("orders"))).fetch()),
        new Attempt(
            "of a derived table",
            tx ->
                tx.select(field(name("d", "to_json")))
                    .from(select(ORDERS.NOTE).from(ORDERS).asTable("d"))
                    .fetch()),
        new Attempt(
            "returned",
            tx ->
                tx.update(ORDERS)
                    .set(ORDERS.TOTAL, 1)
                    .where(ORDERS.TOTAL.gt(0))
                    .returningResult(field(name("orders")))
                    .fetch()));
  }

  private static Attempt wholeRow(String name, Field<?> field) {
    return new Attempt(name, tx -> tx.select(field).from(ORDERS).fetch());
  }

  @ParameterizedTest
  @MethodSource("wholeRows")
  void fieldByNameCannotReadAWholeRow(Attempt attempt) throws SQLException {
    requireRefusal(attempt);
  }

  static Stream<Attempt> columns() {
    return Stream.of(
        wholeRow("column", field(name("orders", "note"))),
        wholeRow("column, unquoted", field(unquotedName("Orders", "NOTE"))),
        wholeRow("column without its table", field(name("note"))),
        new Attempt(
            "column of an alias",
            tx -> tx.select(field(name("o", "note"))).from(ORDERS.as("o")).fetch()),
        new Attempt(
            "column of a derived table",
            tx ->
                tx.select(field(name("d", "x")))
                    .from(select(ORDERS.NOTE.as("x")).from(ORDERS).asTable("d"))
                    .fetch()),
        new Attempt(
            "column of an array",
            tx ->
                tx.select(field(name("u", "c")))
                    .from(unnest(array(inline("a"))).as("u", "c"))
                    .fetch()),
        new Attempt(
            "column of numbers",
            tx -> tx.select(field(name("g", "g"))).from(generateSeries(1, 2).as("g")).fetch()),
        new Attempt(
            "array of the row beside it",
            tx -> {
              var o = ORDERS.as("o");
              return tx.select(field(name("u", "c")))
                  .from(o, unnest(array(o.NOTE)).as("u", "c"))
                  .fetch();
            }),
        new Attempt(
            "alias in the order",
            tx ->
                tx.select(ORDERS.NOTE.as("word"))
                    .from(ORDERS)
                    .orderBy(field(name("word")))
                    .fetch()),
        new Attempt(
            "function as a table",
            tx ->
                tx.select(field(name("f", "f")))
                    .from(table(function("upper", SQLDataType.RESULT, inline("a"))).as("f"))
                    .fetch()));
  }

  @ParameterizedTest
  @MethodSource("columns")
  void fieldByNameReadsColumns(Attempt attempt) {
    assertThat(tenants.ann(attempt.statement)).isNotNull();
  }

  @Test
  void tableIsWrittenUnderTheNameThatWasChecked() throws SQLException {
    for (int truths = 0; truths < 12; truths++) {
      var lying = truths;

      var end =
          endOf(
              tx ->
                  tx.insertInto(new LyingTable(lying))
                      .columns(field(name("code")))
                      .values("lie")
                      .execute());

      assertThat(tenants.text("SELECT count(*) FROM other.orders"))
          .as("%d truths: %s", lying, end)
          .isEqualTo("0");
    }
  }

  @Test
  void tableIsReadUnderTheNameThatWasChecked() throws SQLException {
    tenants
        .acme()
        .execute("INSERT INTO other.orders VALUES ('%s', 'of another')".formatted(Acme.ANN));

    for (int truths = 0; truths < 12; truths++) {
      var lying = truths;

      var end = endOf(tx -> tx.selectFrom(new LyingTable(lying)).fetch());

      assertThat(end).as("%d truths", lying).doesNotContain("of another");
    }
    tenants.acme().execute("TRUNCATE other.orders");
  }

  private static String endOf(Function<DSLContext, @Nullable Object> statement) {
    try {
      return String.valueOf(tenants.ann(statement));
    } catch (RuntimeException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static void requireRefusal(Attempt attempt) throws SQLException {
    var before = tenants.rowsOfAll();

    assertThatThrownBy(() -> tenants.ann(attempt.statement))
        .isInstanceOfSatisfying(
            JobsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STATEMENT_REFUSED));

    assertThat(tenants.rowsOfAll()).isEqualTo(before);
  }

  private static void requireFailure(Attempt attempt) throws SQLException {
    assertThatThrownBy(() -> tenants.ann(attempt.statement)).isInstanceOf(JobsException.class);
  }

  static Stream<Attempt> ownConnections() {
    return Stream.of(
        new Attempt(
            "another provider",
            tx -> {
              var provider = new OwnProvider(tx.configuration().connectionProvider());
              return tx.configuration().derive(provider).dsl().fetchCount(CUSTOMER);
            }),
        new Attempt(
            "another provider, set",
            tx -> {
              var configuration = tx.configuration();
              configuration.set(new OwnProvider(configuration.connectionProvider()));
              return tx.fetchCount(CUSTOMER);
            }));
  }

  @ParameterizedTest
  @MethodSource("ownConnections")
  void connectionIsTheTransactionsOwn(Attempt attempt) throws SQLException {
    requireRefusal(attempt);
  }

  /** Hands out the transaction's connection, and sees what is prepared on it. */
  private record OwnProvider(ConnectionProvider own) implements ConnectionProvider {

    @Override
    public @Nullable Connection acquire() {
      return own.acquire();
    }

    @Override
    public void release(Connection connection) {
      own.release(connection);
    }
  }
}
