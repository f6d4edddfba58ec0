package io.leasehold.db.scope;

import static io.leasehold.db.acme.Tables.COUNTRY;
import static io.leasehold.db.acme.Tables.CUSTOMER;
import static io.leasehold.db.acme.Tables.ORDERS;
import static io.leasehold.db.scope.Ticket.TICKET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.keyword;
import static org.jooq.impl.DSL.list;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.row;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectFrom;
import static org.jooq.impl.DSL.systemName;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.unquotedName;
import static org.jooq.impl.DSL.val;

import io.leasehold.db.Acme;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import java.io.Serial;
import java.sql.SQLException;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.Decfloat;
import org.jooq.Name;
import org.jooq.Record;
import org.jooq.impl.CustomCondition;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultDataType;
import org.jooq.impl.SQLDataType;
import org.jooq.impl.TableImpl;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the scoped DSL does not send, and the reason that it gives. */
class RefusalTest {

  @RegisterExtension static final ThreeTenants tenants = new ThreeTenants();

  private static final Name ORDERS_NAME = name("acme", "orders");
  private static final Name SECRET = name("acme", "secret");
  private static final String ALL_NOTES = "(SELECT string_agg(note, '') FROM acme.orders)";
  private static final UUID BOB = Acme.BOB.value();

  record Refused(String name, String why, Function<DSLContext, @Nullable Object> statement) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Refused refused(
      String name, String why, Function<DSLContext, @Nullable Object> statement) {
    return new Refused(name, why, statement);
  }

  static Stream<Refused> tables() {
    var why = "is not declared";
    return Stream.of(
        refused("undeclared", why, tx -> tx.selectFrom(table(SECRET)).fetch()),
        refused("undeclared, aliased", why, tx -> tx.selectFrom(table(SECRET).as("s")).fetch()),
        refused(
            "undeclared, joined",
            why,
            tx -> tx.select().from(ORDERS).crossJoin(table(SECRET)).fetch()),
        refused(
            "undeclared, in a subquery",
            why,
            tx ->
                tx.selectFrom(ORDERS)
                    .where(val("x").in(select(val("x")).from(table(SECRET))))
                    .fetch()),
        refused(
            "undeclared, in a common table expression",
            why,
            tx -> tx.with("x").as(selectFrom(table(SECRET))).selectFrom(table(name("x"))).fetch()),
        refused(
            "undeclared, inserted from",
            why,
            tx ->
                tx.insertInto(ORDERS, ORDERS.CODE)
                    .select(select(field(name("word"), String.class)).from(table(SECRET)))
                    .execute()),
        refused(
            "undeclared, inserted into",
            why,
            tx -> tx.insertInto(table(SECRET)).set(field(name("word")), "x").execute()),
        refused(
            "without a schema", why, tx -> tx.selectFrom(table(name("pg_stat_activity"))).fetch()),
        refused(
            "of the catalogue", why, tx -> tx.fetchCount(table(name("pg_catalog", "pg_stats")))),
        refused(
            "a class without a schema",
            why,
            tx -> tx.selectFrom(new Unqualified("pg_stat_activity")).fetch()),
        refused(
            "called like the expression that it stands in",
            why,
            tx ->
                tx.with("pg_user")
                    .as(selectFrom(table(name("pg_user"))))
                    .selectFrom(table(name("pg_user")))
                    .fetch()),
        refused(
            "an expression that comes later",
            why,
            tx ->
                tx.with("pg_user")
                    .as(selectFrom(table(name("pg_roles"))))
                    .with("pg_roles")
                    .as(select(val(1)))
                    .selectFrom(table(name("pg_user")))
                    .fetch()));
  }

  static Stream<Refused> text() {
    var why = "SQL as text cannot be scoped";
    return Stream.of(
        refused("query", why, tx -> tx.fetch("SELECT * FROM acme.orders")),
        refused("statement", why, tx -> tx.execute("DELETE FROM acme.orders")),
        refused("result query", why, tx -> tx.resultQuery("TABLE acme.orders").fetch()),
        refused("table", why, tx -> tx.selectFrom(table("acme.orders")).fetch()),
        refused("condition", why, tx -> tx.selectFrom(ORDERS).where("true OR true").fetch()),
        refused("field", why, tx -> tx.select(field(ALL_NOTES)).fetch()),
        refused("order", why, tx -> tx.selectFrom(ORDERS).orderBy(field(ALL_NOTES)).fetch()),
        refused("comment", why, tx -> tx.select(field("*--")).from(ORDERS).fetch()),
        refused("name as a table", why, tx -> tx.selectFrom(table("{0}", ORDERS_NAME)).fetch()),
        refused(
            "table in a template", why, tx -> tx.selectFrom(table("{0}", table(SECRET))).fetch()),
        refused(
            "name in a list", why, tx -> tx.selectFrom(table("{0}", list(ORDERS_NAME))).fetch()),
        refused(
            "field in a template",
            why,
            tx -> tx.selectFrom(table("{0}", field(ORDERS_NAME))).fetch()),
        refused(
            "keyword", why, tx -> tx.select(field("{0}", keyword(ALL_NOTES))).from(ORDERS).fetch()),
        refused("name", why, tx -> tx.selectOne().where(condition("{0}", name("x"))).fetch()));
  }

  static Stream<Refused> parts() {
    return Stream.of(
        refused(
            "hint",
            "a hint or option is SQL as text",
            tx -> tx.select(ORDERS.ID).hint(ALL_NOTES + ",").from(ORDERS).fetch()),
        refused(
            "option",
            "a hint or option is SQL as text",
            tx -> tx.selectFrom(ORDERS).option("FOR UPDATE").fetch()),
        refused(
            "custom part",
            "a custom query part",
            tx -> tx.selectFrom(ORDERS).where(CustomCondition.of(c -> c.sql("true"))).fetch()),
        refused(
            "implicit join",
            "an implicit join along a path cannot be scoped",
            tx -> tx.select(ORDERS.ID, new CustomerOf(ORDERS).name).from(ORDERS).fetch()),
        refused(
            "custom binding",
            "a custom binding writes SQL",
            tx ->
                tx.select(val("x", SQLDataType.CLOB.asConvertedDataType(new WritingBinding())))
                    .fetch()),
        refused(
            "number of text",
            "PostgreSQL has no type decfloat",
            tx -> tx.select(inline(Decfloat.decfloat(ALL_NOTES))).fetch()),
        refused(
            "type",
            "a type must have a plain name",
            tx ->
                tx.select(val(1).cast(DefaultDataType.getDefaultDataType("text), (SELECT 1")))
                    .fetch()),
        refused(
            "unquoted name",
            "an unquoted name must be an identifier",
            tx -> tx.select(field(unquotedName(ALL_NOTES))).fetch()),
        refused(
            "system's name",
            "an unquoted name must be an identifier",
            tx -> tx.select(field(systemName(ALL_NOTES))).fetch()),
        refused(
            "function that changes the session",
            "function set_config is neither allowed nor declared",
            tx -> tx.select(function("set_config", String.class, val("app.tenant_id"))).fetch()),
        refused(
            "function that runs text",
            "function query_to_xml is neither allowed nor declared",
            tx -> tx.select(function("query_to_xml", String.class, val(ALL_NOTES))).fetch()),
        refused(
            "function that runs text, as a table",
            "function ts_stat is neither allowed nor declared",
            tx ->
                tx.selectFrom(table(function("ts_stat", SQLDataType.RESULT, val(ALL_NOTES))))
                    .fetch()),
        refused(
            "function that is not declared",
            "function \"acme\".\"all_notes\" is neither allowed nor declared",
            tx -> tx.select(function(name("acme", "all_notes"), String.class)).fetch()),
        refused(
            "name as a function's result",
            "only a function can stand as a table",
            tx -> tx.selectFrom(table(field(ORDERS_NAME, SQLDataType.RESULT))).fetch()));
  }

  static Stream<Refused> statements() {
    var kinds = "only select, insert, update and delete can be scoped";
    return Stream.of(
        refused(
            "merge",
            kinds,
            tx ->
                tx.mergeInto(TICKET)
                    .using(ORDERS)
                    .on(TICKET.number.eq(1))
                    .whenMatchedThenDelete()
                    .execute()),
        refused("truncate", kinds, tx -> tx.truncate(ORDERS).execute()),
        refused("create", kinds, tx -> tx.createTable("t").column("c", SQLDataType.CLOB).execute()),
        refused("drop", kinds, tx -> tx.dropTable(ORDERS).execute()),
        refused("set", kinds, tx -> tx.set(name("leasehold.tenants"), val("x")).execute()),
        refused("set local", kinds, tx -> tx.setLocal(name("role"), val("x")).execute()),
        refused(
            "shared table, written",
            "is shared: tenants only read it",
            tx -> tx.update(COUNTRY).set(COUNTRY.NAME, "x").where(COUNTRY.CODE.eq("NL")).execute()),
        refused(
            "join, updated",
            "only a table can be written",
            tx ->
                tx.update(TICKET.join(CUSTOMER).on(CUSTOMER.NAME.eq(TICKET.title)))
                    .set(TICKET.title, "x")
                    .where(TICKET.number.gt(0))
                    .execute()),
        refused(
            "limit over a key without tenant",
            "limit needs a primary key with tenant_id",
            tx -> tx.deleteFrom(TICKET).where(TICKET.number.gt(0)).limit(9).execute()),
        refused(
            "insert from a select without columns",
            "needs a list of columns",
            tx -> tx.insertInto(table(name("acme", "ticket"))).select(select(val(1))).execute()),
        refused(
            "insert from a select with the tenant",
            "is given its tenant_id: leave it out",
            tx ->
                tx.insertInto(TICKET, TICKET.tenantId, TICKET.number)
                    .select(select(val(BOB), val(9)))
                    .execute()),
        refused(
            "row that changes its tenant",
            "a row cannot change its tenant",
            tx ->
                tx.update(TICKET)
                    .set(row(TICKET.tenantId, TICKET.title), row(BOB, "x"))
                    .where(TICKET.number.gt(0))
                    .execute()),
        refused(
            "tenant that is computed",
            "and not an expression",
            tx ->
                tx.insertInto(TICKET)
                    .set(TICKET.number, 9)
                    .set(TICKET.tenantId, DSL.coalesce(val(BOB), val(BOB)))
                    .execute()));
  }

  static Stream<Refused> foreignTenants() {
    var why = "tenant %s is not the caller's".formatted(Acme.BOB);
    var unquoted = field(unquotedName("TENANT_ID"), SQLDataType.UUID);
    return Stream.of(
        refused("read", why, tx -> tx.selectFrom(ORDERS).where(ORDERS.TENANT_ID.eq(BOB)).fetch()),
        refused(
            "read, in a list",
            why,
            tx -> tx.selectFrom(ORDERS).where(ORDERS.TENANT_ID.in(Acme.ANN.value(), BOB)).fetch()),
        refused(
            "inserted",
            why,
            tx -> tx.insertInto(TICKET).set(TICKET.number, 9).set(TICKET.tenantId, BOB).execute()),
        refused(
            "inserted in the second row",
            why,
            tx ->
                tx.insertInto(TICKET, TICKET.tenantId, TICKET.number)
                    .values(Acme.ANN.value(), 8)
                    .values(BOB, 9)
                    .execute()),
        refused(
            "inserted by an unquoted name",
            why,
            tx -> tx.insertInto(TICKET, TICKET.number, unquoted).values(9, BOB).execute()),
        refused(
            "updated",
            why,
            tx -> tx.update(TICKET).set(TICKET.tenantId, BOB).where(TICKET.number.eq(1)).execute()),
        refused(
            "updated by an unquoted name",
            why,
            tx -> tx.update(TICKET).set(unquoted, BOB).where(TICKET.number.eq(1)).execute()),
        refused(
            "updated on conflict",
            why,
            tx ->
                tx.insertInto(TICKET, TICKET.number)
                    .values(1)
                    .onConflict(TICKET.number)
                    .doUpdate()
                    .set(TICKET.tenantId, BOB)
                    .execute()),
        refused(
            "updated in a common table expression",
            why,
            tx ->
                tx.with("x")
                    .as(
                        DSL.update(TICKET)
                            .set(TICKET.tenantId, BOB)
                            .where(TICKET.number.eq(1))
                            .returning())
                    .selectFrom(table(name("x")))
                    .fetch()));
  }

  @ParameterizedTest
  @MethodSource({"tables", "text", "parts", "statements"})
  void refusesWithTheReason(Refused refused) throws SQLException {
    requireRefusal(refused, ErrorCode.STATEMENT_REFUSED);
  }

  @ParameterizedTest
  @MethodSource("foreignTenants")
  void refusesForeignTenants(Refused refused) throws SQLException {
    requireRefusal(refused, ErrorCode.TENANT_FOREIGN);
  }

  private static void requireRefusal(Refused refused, ErrorCode code) throws SQLException {
    var before = tenants.rowsOfAll();

    assertThatThrownBy(() -> tenants.ann(refused.statement))
        .isInstanceOfSatisfying(JobsException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(refused.why);

    assertThat(tenants.rowsOfAll()).isEqualTo(before);
  }

  /** A table of which its author did not say where it is. */
  private static final class Unqualified extends TableImpl<Record> {

    @Serial private static final long serialVersionUID = 1L;

    Unqualified(String name) {
      super(name(name));
    }
  }
}
