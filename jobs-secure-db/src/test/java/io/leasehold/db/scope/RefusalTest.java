package io.leasehold.db.scope;

import static io.leasehold.db.acme.Tables.COUNTRY;
import static io.leasehold.db.acme.Tables.CUSTOMER;
import static io.leasehold.db.acme.Tables.ORDERS;
import static io.leasehold.db.scope.Ticket.TICKET;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.keyword;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.row;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectFrom;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.unquotedName;
import static org.jooq.impl.DSL.val;

import io.leasehold.db.Acme;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jooq.Binding;
import org.jooq.DSLContext;
import org.jooq.ExecuteContext;
import org.jooq.ExecuteListener;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.VisitContext;
import org.jooq.VisitListener;
import org.jooq.conf.MappedSchema;
import org.jooq.conf.MappedTable;
import org.jooq.conf.RenderMapping;
import org.jooq.conf.RenderQuotedNames;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultDataType;
import org.jooq.impl.DefaultVisitListenerProvider;
import org.jooq.impl.SQLDataType;
import org.jooq.impl.TableImpl;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@SuppressWarnings({"NullAway", "OperatorPrecedence"})
class RefusalTest {
  @RegisterExtension static final ThreeTenants tenants = new ThreeTenants();

  record Attack(String name, Function<DSLContext, Object> run) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Attack a(String n, Function<DSLContext, Object> f) {
    return new Attack(n, f);
  }

  static Stream<Attack> attacks() {
    var orders = name("acme", "orders");
    return Stream.of(
        a("table template name", d -> d.selectFrom(table("{0}", orders)).fetch()),
        a(
            "table template table",
            d -> d.selectFrom(table("{0}", table(name("acme", "secret")))).fetch()),
        a(
            "field template keyword",
            d ->
                d.select(field("{0}", keyword("(select string_agg(note, '') from acme.orders)")))
                    .fetch()),
        a(
            "decfloat",
            d ->
                d.select(
                        inline(
                            org.jooq.Decfloat.decfloat(
                                "(select string_agg(note, '') from acme.orders)")))
                    .fetch()),
        a(
            "cast type",
            d ->
                d.select(
                        val(1)
                            .cast(
                                DefaultDataType.getDefaultDataType(
                                    "text), (select string_agg(note, '') from acme.orders")))
                    .fetch()),
        a(
            "cast type2",
            d ->
                d.select(
                        val(1)
                            .cast(
                                new DefaultDataType<>(
                                    SQLDialect.POSTGRES,
                                    String.class,
                                    "text), (select string_agg(note, '') from acme.orders",
                                    "text), (select string_agg(note, '') from acme.orders")))
                    .fetch()),
        a(
            "ts_stat",
            d ->
                d.selectFrom(
                        table(
                            function(
                                "ts_stat",
                                SQLDataType.OTHER,
                                inline(
                                    "select to_tsvector(string_agg(note, ' ')) from acme.orders"))))
                    .fetch()),
        a(
            "pg table subclass",
            d ->
                d.selectFrom(
                        new TableImpl<Record>(name("pg_stat_activity")) {
                          private static final long serialVersionUID = 1L;
                        })
                    .fetch()),
        a(
            "cte same name as pg table",
            d -> {
              var cte = name("pg_stat_activity").as(selectFrom(table(name("pg_stat_activity"))));
              return d.with(cte).selectFrom(cte).fetch();
            }),
        a(
            "render mapping",
            d ->
                d.configuration()
                    .derive(
                        new Settings()
                            .withRenderMapping(
                                new RenderMapping()
                                    .withSchemata(
                                        new MappedSchema()
                                            .withInput("acme")
                                            .withTables(
                                                new MappedTable()
                                                    .withInput("country")
                                                    .withOutput("orders")))))
                    .dsl()
                    .select()
                    .from(COUNTRY)
                    .fetch()),
        a(
            "unquoted injection",
            d ->
                d.configuration()
                    .derive(new Settings().withRenderQuotedNames(RenderQuotedNames.NEVER))
                    .dsl()
                    .select(field(name("(select string_agg(note, '') from acme.orders)")))
                    .fetch()),
        a(
            "own visit listener",
            d -> {
              var ours = d.configuration().visitListenerProviders()[0];
              var mine =
                  new DefaultVisitListenerProvider(
                      new VisitListener() {
                        @Override
                        public void visitStart(VisitContext c) {
                          if (c.queryPart() instanceof org.jooq.Param<?>
                              && c.renderContext() != null)
                            c.queryPart(
                                inline(
                                    org.jooq.Decfloat.decfloat(
                                        "(select string_agg(note, '') from acme.orders)")));
                        }
                      });
              return d.configuration().derive(ours, mine).dsl().select(val(1)).fetch();
            }),
        a(
            "own visit listener text",
            d -> {
              var ours = d.configuration().visitListenerProviders()[0];
              var mine =
                  new DefaultVisitListenerProvider(
                      new VisitListener() {
                        @Override
                        public void visitStart(VisitContext c) {
                          if (c.queryPart() instanceof org.jooq.Param<?>
                              && c.renderContext() != null)
                            c.renderContext()
                                .sql("(select string_agg(note, '') from acme.orders)::text||");
                        }
                      });
              return d.configuration().derive(ours, mine).dsl().select(val(1)).fetch();
            }),
        a(
            "render + connection",
            d -> {
              var q = d.selectFrom(ORDERS);
              var sql = d.render(q);
              return d.connectionResult(
                  c -> {
                    try (var ps = c.prepareStatement(sql)) {
                      ps.setObject(1, Acme.BOB.value());
                      try (var rs = ps.executeQuery()) {
                        rs.next();
                        return rs.getString("note");
                      }
                    }
                  });
            }),
        a(
            "fetchResultSet",
            d -> {
              try (var rs = d.selectFrom(ORDERS).fetchResultSet();
                  var st = rs.getStatement().getConnection().createStatement();
                  var r2 = st.executeQuery("select string_agg(note, '') from acme.orders")) {
                r2.next();
                return r2.getString(1);
              } catch (java.sql.SQLException e) {
                throw new IllegalStateException(e);
              }
            }),
        a(
            "execute listener",
            d -> {
              var holder = new Object[1];
              d.configuration()
                  .deriveAppending(
                      new ExecuteListener() {
                        private static final long serialVersionUID = 1L;

                        @Override
                        public void prepareEnd(ExecuteContext c) {
                          try (var st = c.statement().getConnection().createStatement();
                              var r2 =
                                  st.executeQuery("select string_agg(note, '') from acme.orders")) {
                            r2.next();
                            holder[0] = r2.getString(1);
                          } catch (java.sql.SQLException e) {
                            throw new IllegalStateException(e);
                          }
                        }
                      })
                  .dsl()
                  .selectFrom(ORDERS)
                  .fetch();
              return String.valueOf(holder[0]);
            }),
        a(
            "custom binding",
            d -> d.select(val("x", SQLDataType.VARCHAR.asConvertedDataType(new Evil()))).fetch()),
        a(
            "batch bind",
            d ->
                d.batch(
                        d.insertInto(TICKET, TICKET.number, TICKET.title)
                            .values((Integer) null, null))
                    .bind(99, "evil", Acme.BOB.value())
                    .execute()),
        a(
            "batch bind 2",
            d ->
                d.batch(
                        d.update(TICKET)
                            .set(TICKET.title, (String) null)
                            .where(TICKET.number.eq((Integer) null)))
                    .bind("evil", Acme.BOB.value(), 2)
                    .execute()),
        a(
            "update join",
            d ->
                d.update(TICKET.join(CUSTOMER).on(val(true).isTrue()))
                    .set(TICKET.title, "evil")
                    .where(TICKET.number.gt(0))
                    .execute()),
        a("delete limit", d -> d.deleteFrom(TICKET).where(TICKET.number.gt(0)).limit(10).execute()),
        a(
            "update limit",
            d ->
                d.update(TICKET)
                    .set(TICKET.title, "evil")
                    .where(TICKET.number.gt(0))
                    .limit(10)
                    .execute()),
        a(
            "update from",
            d ->
                d.update(TICKET)
                    .set(TICKET.title, ORDERS.NOTE)
                    .from(ORDERS)
                    .where(TICKET.number.gt(0))
                    .execute()),
        a(
            "update alias",
            d -> {
              var t = TICKET.as("t");
              return d.update(t)
                  .set(t.field(TICKET.title), "evil")
                  .where(t.field(TICKET.number).gt(0))
                  .execute();
            }),
        a(
            "update where-table",
            d -> {
              var t = TICKET.where(TICKET.number.gt(0));
              return d.update(t).set(TICKET.title, "evil").where(TICKET.number.gt(0)).execute();
            }),
        a(
            "delete using",
            d -> d.deleteFrom(TICKET).using(ORDERS).where(TICKET.number.gt(0)).execute()),
        a(
            "delete using self",
            d -> {
              var t = TICKET.as("t");
              return d.deleteFrom(TICKET)
                  .using(t)
                  .where(TICKET.number.eq(t.field(TICKET.number)))
                  .execute();
            }),
        a(
            "delete using same",
            d -> d.deleteFrom(TICKET).using(TICKET).where(TICKET.number.gt(0)).returning().fetch()),
        a(
            "upsert",
            d ->
                d.insertInto(TICKET, TICKET.number, TICKET.title)
                    .values(2, "evil")
                    .onConflict(TICKET.number)
                    .doUpdate()
                    .setAllToExcluded()
                    .execute()),
        a(
            "upsert returning",
            d ->
                d.insertInto(TICKET, TICKET.number, TICKET.title)
                    .values(2, "evil")
                    .onDuplicateKeyUpdate()
                    .set(TICKET.title, "evil")
                    .returning()
                    .fetch()),
        a(
            "upsert record",
            d -> {
              var r = d.newRecord(TICKET);
              r.set(TICKET.number, 2);
              r.set(TICKET.title, "evil");
              return r.merge();
            }),
        a(
            "record update",
            d -> {
              var r = d.newRecord(TICKET);
              r.set(TICKET.number, 2);
              r.set(TICKET.title, "evil");
              return r.update();
            }),
        a(
            "record delete",
            d -> {
              var r = d.newRecord(TICKET);
              r.set(TICKET.number, 2);
              return r.delete();
            }),
        a(
            "record refresh",
            d -> {
              var r = d.newRecord(TICKET);
              r.set(TICKET.number, 2);
              r.refresh();
              return r;
            }),
        a(
            "implicit path",
            d -> {
              var p =
                  new TableImpl<>(
                      ORDERS, io.leasehold.db.acme.Keys.ORDERS__ORDERS_OF_CUSTOMER, null, CUSTOMER);
              return d.select(
                      ORDERS.NOTE,
                      p.field(name("name")),
                      field(p.getUnqualifiedName().append("name")))
                  .from(ORDERS)
                  .fetch();
            }),
        a(
            "path in from",
            d -> {
              var p =
                  new TableImpl<>(
                      ORDERS, io.leasehold.db.acme.Keys.ORDERS__ORDERS_OF_CUSTOMER, null, CUSTOMER);
              return d.select().from(p).fetch();
            }),
        a(
            "path join",
            d -> {
              var p =
                  new TableImpl<>(
                      ORDERS, io.leasehold.db.acme.Keys.ORDERS__ORDERS_OF_CUSTOMER, null, CUSTOMER);
              return d.select().from(ORDERS).leftJoin(p).on(val(true).isTrue()).fetch();
            }),
        a(
            "reverse path",
            d -> {
              var p =
                  new TableImpl<>(
                      CUSTOMER,
                      null,
                      io.leasehold.db.acme.Keys.ORDERS__ORDERS_OF_CUSTOMER.getInverseKey(),
                      ORDERS);
              return d.select().from(CUSTOMER, p).fetch();
            }),
        a(
            "path update",
            d -> {
              var p =
                  new TableImpl<>(
                      ORDERS, io.leasehold.db.acme.Keys.ORDERS__ORDERS_OF_CUSTOMER, null, CUSTOMER);
              return d.update(p)
                  .set(p.field("name", String.class), "evil")
                  .where(val(true).isTrue())
                  .execute();
            }),
        a(
            "path delete using",
            d -> {
              var p =
                  new TableImpl<>(
                      ORDERS, io.leasehold.db.acme.Keys.ORDERS__ORDERS_OF_CUSTOMER, null, CUSTOMER);
              return d.deleteFrom(ORDERS)
                  .using(p)
                  .where(val(true).isTrue())
                  .returning(p.fields())
                  .fetch();
            }),
        a(
            "cte dml",
            d ->
                d.with("x")
                    .as(
                        d.update(TICKET)
                            .set(TICKET.title, "evil")
                            .where(TICKET.number.gt(0))
                            .returning())
                    .select()
                    .from(table(name("x")))
                    .fetch()),
        a(
            "cte declared name",
            d -> d.with("orders").as(select(inline("fake").as("note"))).selectFrom(ORDERS).fetch()),
        a(
            "cte shadow of target",
            d ->
                d.with("ticket")
                    .as(select(inline("fake").as("note")))
                    .update(TICKET)
                    .set(TICKET.title, "evil")
                    .where(TICKET.number.gt(0))
                    .execute()),
        a(
            "mutate",
            d -> {
              d.settings().setRenderSchema(false);
              return "x";
            }),
        a(
            "insert foreign cte",
            d ->
                d.insertInto(TICKET, TICKET.tenantId, TICKET.number)
                    .values(val(Acme.BOB.value()), val(50))
                    .execute()),
        a(
            "insert set row",
            d ->
                d.insertInto(TICKET)
                    .set(TICKET.number, 50)
                    .set(TICKET.tenantId, Acme.BOB.value())
                    .execute()),
        a(
            "update row",
            d ->
                d.update(TICKET)
                    .set(row(TICKET.tenantId, TICKET.title), row(Acme.BOB.value(), "x"))
                    .where(TICKET.number.gt(0))
                    .execute()),
        a(
            "update name",
            d ->
                d.update(TICKET)
                    .set(field(name("tenant_id")), (Object) Acme.BOB.value())
                    .where(TICKET.number.gt(0))
                    .execute()),
        a(
            "update unquoted name",
            d ->
                d.update(TICKET)
                    .set(field(unquotedName("TENANT_ID"), SQLDataType.UUID), Acme.BOB.value())
                    .where(TICKET.number.gt(0))
                    .execute()),
        a(
            "insert unquoted name",
            d ->
                d.insertInto(
                        TICKET, TICKET.number, field(unquotedName("TENANT_ID"), SQLDataType.UUID))
                    .values(50, Acme.BOB.value())
                    .execute()),
        a(
            "insert select unquoted name",
            d ->
                d.insertInto(
                        TICKET, TICKET.number, field(unquotedName("TENANT_ID"), SQLDataType.UUID))
                    .select(select(val(50), val(Acme.BOB.value())))
                    .execute()),
        a("comment", d -> d.select(field("*--")).fetch()),
        a("for update", d -> d.selectFrom(ORDERS).forUpdate().fetch()),
        a("table operator", d -> d.select(field("*")).from(table("{0}", orders)).fetch()),
        a("condition name", d -> d.selectOne().where(DSL.condition("{0}", name("x"))).fetch()));
  }

  static final class Evil implements Binding<String, String> {
    private static final long serialVersionUID = 1L;

    @Override
    public org.jooq.Converter<String, String> converter() {
      return org.jooq.Converter.of(String.class, String.class, x -> x, x -> x);
    }

    @Override
    public void sql(org.jooq.BindingSQLContext<String> c) {
      c.render().sql("(select string_agg(note, '') from acme.orders)||").visit(inline("x"));
    }

    @Override
    public void register(org.jooq.BindingRegisterContext<String> c) {}

    @Override
    public void set(org.jooq.BindingSetStatementContext<String> c) throws java.sql.SQLException {
      c.statement().setString(c.index(), c.value());
    }

    @Override
    public void set(org.jooq.BindingSetSQLOutputContext<String> c) {}

    @Override
    public void get(org.jooq.BindingGetResultSetContext<String> c) throws java.sql.SQLException {
      c.value(c.resultSet().getString(c.index()));
    }

    @Override
    public void get(org.jooq.BindingGetStatementContext<String> c) {}

    @Override
    public void get(org.jooq.BindingGetSQLInputContext<String> c) {}
  }

  @ParameterizedTest
  @MethodSource("attacks")
  void attack(Attack attack) throws Exception {
    var before = tenants.rowsOfOthers();
    String result;
    try {
      result = String.valueOf(tenants.<Object>ann(d -> attack.run.apply(d)));
    } catch (RuntimeException | LinkageError e) {
      result = "EXC " + e.getClass().getSimpleName() + " " + e.getMessage();
    }
    var hole =
        (result.contains(Acme.BOB.toString()) || result.contains("nobody"))
                && !result.startsWith("EXC")
            || !before.equals(tenants.rowsOfOthers());
    System.out.println(
        (hole ? "HOLE  " : "ok    ")
            + attack.name
            + " => "
            + result.replace('\n', ' ').substring(0, Math.min(330, result.length())));
  }
}
