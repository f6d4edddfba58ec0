package io.leasehold.db.scope;

import static io.leasehold.db.acme.Tables.COUNTRY;
import static io.leasehold.db.acme.Tables.CUSTOMER;
import static io.leasehold.db.acme.Tables.ORDERS;
import static io.leasehold.db.scope.Ticket.TICKET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.jooq.Records.mapping;
import static org.jooq.impl.DSL.arrayAgg;
import static org.jooq.impl.DSL.arrayAppend;
import static org.jooq.impl.DSL.arrayGet;
import static org.jooq.impl.DSL.avg;
import static org.jooq.impl.DSL.case_;
import static org.jooq.impl.DSL.cast;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.concat;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.countDistinct;
import static org.jooq.impl.DSL.cube;
import static org.jooq.impl.DSL.currentDate;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.currentTimestamp;
import static org.jooq.impl.DSL.day;
import static org.jooq.impl.DSL.denseRank;
import static org.jooq.impl.DSL.extract;
import static org.jooq.impl.DSL.firstValue;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.generateSeries;
import static org.jooq.impl.DSL.greatest;
import static org.jooq.impl.DSL.groupConcat;
import static org.jooq.impl.DSL.groupingSets;
import static org.jooq.impl.DSL.iif;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.jsonArrayAgg;
import static org.jooq.impl.DSL.jsonExists;
import static org.jooq.impl.DSL.jsonObject;
import static org.jooq.impl.DSL.jsonValue;
import static org.jooq.impl.DSL.jsonbArrayAgg;
import static org.jooq.impl.DSL.jsonbGetAttribute;
import static org.jooq.impl.DSL.jsonbGetAttributeAsText;
import static org.jooq.impl.DSL.jsonbObject;
import static org.jooq.impl.DSL.jsonbValue;
import static org.jooq.impl.DSL.key;
import static org.jooq.impl.DSL.lag;
import static org.jooq.impl.DSL.length;
import static org.jooq.impl.DSL.listAgg;
import static org.jooq.impl.DSL.localDateTimeAdd;
import static org.jooq.impl.DSL.lower;
import static org.jooq.impl.DSL.max;
import static org.jooq.impl.DSL.md5;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.ntile;
import static org.jooq.impl.DSL.nullif;
import static org.jooq.impl.DSL.percentileCont;
import static org.jooq.impl.DSL.position;
import static org.jooq.impl.DSL.rand;
import static org.jooq.impl.DSL.replace;
import static org.jooq.impl.DSL.round;
import static org.jooq.impl.DSL.row;
import static org.jooq.impl.DSL.rowNumber;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectFrom;
import static org.jooq.impl.DSL.stringAgg;
import static org.jooq.impl.DSL.substring;
import static org.jooq.impl.DSL.sum;
import static org.jooq.impl.DSL.timestampAdd;
import static org.jooq.impl.DSL.toChar;
import static org.jooq.impl.DSL.trim;
import static org.jooq.impl.DSL.trunc;
import static org.jooq.impl.DSL.unnest;
import static org.jooq.impl.DSL.upper;
import static org.jooq.impl.DSL.uuid;
import static org.jooq.impl.DSL.val;

import io.leasehold.db.Acme;
import io.leasehold.jobs.TenantId;
import java.math.BigDecimal;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.DataType;
import org.jooq.DatePart;
import org.jooq.Field;
import org.jooq.JSON;
import org.jooq.JSONB;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jooq.types.DayToSecond;
import org.jooq.types.YearToMonth;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What jOOQ's users write every day is sent, and not refused by accident. */
class OrdinaryStatementsTest {

  @RegisterExtension static final ThreeTenants tenants = new ThreeTenants();

  record OrderLine(UUID tenant, String code, int total) {}

  static Stream<Field<?>> expressions() {
    var o = ORDERS;
    var json = val(JSONB.valueOf("{\"a\": {\"b\": [1, 2]}}"));
    var text = val(JSON.valueOf("{\"a\": 1}"));
    var numbers = val(new Integer[] {1, 2, 3});
    return Stream.of(
        count(),
        countDistinct(o.CODE),
        sum(o.TOTAL),
        avg(o.TOTAL).cast(SQLDataType.NUMERIC(10, 2)),
        round(avg(o.TOTAL), 2),
        max(o.PLACED_AT),
        count().filterWhere(o.TOTAL.gt(5)),
        stringAgg(o.CODE, ", ").orderBy(o.CODE),
        listAgg(o.CODE, "; ").withinGroupOrderBy(o.CODE),
        groupConcat(o.CODE).separator("/"),
        arrayAgg(o.CODE).orderBy(o.CODE.desc().nullsLast()),
        percentileCont(0.5).withinGroupOrderBy(o.TOTAL),
        jsonArrayAgg(o.CODE),
        jsonbArrayAgg(jsonbObject(key("code").value(o.CODE))),
        max(coalesce(o.NOTE, "none")),
        max(case_().when(o.TOTAL.gt(5), "much").else_("little")),
        max(case_(o.TOTAL).when(5, "five").else_(o.CODE)),
        max(iif(o.TOTAL.gt(5), 1, 0)),
        max(nullif(o.TOTAL, 5)),
        max(greatest(o.TOTAL, val(7))),
        max(o.TOTAL.plus(1).times(2).minus(3).div(4).mod(5)),
        max(o.TOTAL.bitAnd(1).bitOr(2).bitXor(3)),
        max(o.TOTAL.neg()),
        max(concat(o.CODE, inline("-"), o.NOTE)),
        max(upper(lower(trim(substring(o.CODE, 1, 3))))),
        max(length(replace(o.CODE, "c", "''"))),
        max(position(o.CODE, "d")),
        md5(max(o.CODE)),
        toChar(max(o.PLACED_AT), "YYYY-MM-DD"),
        max(cast(o.ID, SQLDataType.VARCHAR(20))),
        max(o.CODE.collate("C")),
        max(o.PLACED_AT.plus(1)),
        max(o.PLACED_AT.minus(new DayToSecond(0, 1))),
        max(o.PLACED_AT.plus(new YearToMonth(1, 1))),
        max(timestampAdd(Timestamp.valueOf(LocalDateTime.MIN.withYear(2000)), 1, DatePart.MONTH)),
        localDateTimeAdd(LocalDateTime.parse("2000-01-01T00:00"), 1, DatePart.DAY),
        max(extract(o.PLACED_AT, DatePart.EPOCH)),
        max(day(o.PLACED_AT)),
        max(trunc(o.PLACED_AT, DatePart.MONTH)),
        currentDate(),
        currentTimestamp(),
        currentOffsetDateTime(),
        rand(),
        uuid(),
        jsonbGetAttribute(jsonbGetAttribute(json, "a"), "b"),
        jsonbGetAttributeAsText(json, "a"),
        jsonbValue(json, "$.a.b[0]"),
        jsonValue(text, "$.a"),
        DSL.field(jsonExists(text, "$.a")),
        jsonObject(key("a").value(1)),
        arrayGet(numbers, 1),
        arrayAppend(numbers, 4),
        DSL.field(numbers.contains(new Integer[] {1})),
        DSL.field(val(1).eq(DSL.any(numbers))),
        val(LocalDate.EPOCH),
        val(BigDecimal.TEN),
        val(new byte[] {1}),
        val(1.5),
        inline(1.5),
        inline("it's \\ -- /* ? {0} */"),
        val(Acme.ANN.value()),
        function("gen_random_uuid", UUID.class),
        function("now", SQLDataType.TIMESTAMPWITHTIMEZONE));
  }

  static Stream<Function<DSLContext, Object>> statements() {
    var o = ORDERS;
    var c = CUSTOMER;
    return Stream.of(
        tx -> tx.fetchCount(o),
        tx -> tx.fetchCount(o, o.TOTAL.gt(5)),
        tx -> tx.fetchCount(selectFrom(o).where(o.TOTAL.gt(5))),
        tx -> tx.fetchExists(o),
        tx -> tx.fetchExists(selectFrom(o).where(o.TOTAL.gt(5))),
        tx -> tx.fetchOne(TICKET, TICKET.number.eq(1)),
        tx -> tx.fetchAny(o),
        tx -> tx.fetchValue(select(max(o.TOTAL)).from(o)),
        tx -> tx.selectFrom(o).orderBy(o.NOTE.asc().nullsFirst(), o.ID).limit(2).offset(1).fetch(),
        tx -> tx.selectFrom(o).orderBy(o.TOTAL, o.ID).seek(5, 0L).limit(2).fetch(),
        tx -> tx.selectFrom(o).orderBy(o.ID).limit(2).withTies().fetch(),
        tx -> tx.selectFrom(o).orderBy(o.CODE.sortAsc("b", "a")).fetch(),
        tx -> tx.selectFrom(o).orderBy(inline(1)).fetch(),
        tx -> tx.selectDistinct(o.CODE).from(o).fetch(),
        tx -> tx.select(o.CODE).distinctOn(o.TOTAL).from(o).orderBy(o.TOTAL).fetch(),
        tx -> tx.select(rowNumber().over().partitionBy(o.TOTAL).orderBy(o.ID)).from(o).fetch(),
        tx ->
            tx.select(
                    denseRank().over().orderBy(o.TOTAL),
                    lag(o.TOTAL).over().orderBy(o.ID),
                    ntile(2).over().orderBy(o.ID),
                    firstValue(o.CODE).over().orderBy(o.ID).rowsUnboundedPreceding(),
                    sum(o.TOTAL).over(name("w").as(DSL.orderBy(o.ID))))
                .from(o)
                .window(name("w").as(DSL.orderBy(o.ID)))
                .fetch(),
        tx -> tx.select(o.TOTAL, count()).from(o).groupBy(o.TOTAL).having(count().gt(1)).fetch(),
        tx -> tx.select(o.TOTAL, count()).from(o).groupBy(cube(o.TOTAL, o.CODE)).fetch(),
        tx -> tx.select(count()).from(o).groupBy(groupingSets(o.TOTAL, o.CODE)).fetch(),
        tx -> tx.selectFrom(o).where(o.CODE.in("a", "b").and(o.TOTAL.between(1, 9))).fetch(),
        tx -> tx.selectFrom(o).where(o.CODE.in(List.of())).fetch(),
        tx -> tx.selectFrom(o).where(o.CODE.like("a%").or(o.CODE.contains("_"))).fetch(),
        tx -> tx.selectFrom(o).where(o.CODE.likeRegex("^a").not()).fetch(),
        tx -> tx.selectFrom(o).where(o.NOTE.isDistinctFrom("a")).fetch(),
        tx ->
            tx.selectFrom(o)
                .where(row(o.ID, o.CODE).in(List.of(row(1L, "a"), row(2L, "b"))))
                .fetch(),
        tx -> tx.selectFrom(o).where(row(o.ID, o.TOTAL).gt(row(1L, 2))).fetch(),
        tx -> tx.selectFrom(o).where(noCondition()).fetch(),
        tx -> tx.select().from(o).join(COUNTRY).on(COUNTRY.CODE.ne(o.CODE)).fetch(),
        tx -> tx.select().from(o).join(c).using(o.TENANT_ID).fetch(),
        tx -> tx.select().from(o).join(c).onKey().fetch(),
        tx -> tx.select().from(DSL.values(row(1, "a"), row(2, "b")).as("v", "n", "s")).fetch(),
        tx -> tx.select().from(unnest(val(new Integer[] {1, 2})).as("u")).fetch(),
        tx -> tx.select().from(generateSeries(1, 3).as("g", "n")).fetch(),
        tx -> tx.select().from(unnest(List.of(1, 2)).withOrdinality().as("u", "v", "n")).fetch(),
        tx -> tx.select(o.TENANT_ID, o.CODE, o.TOTAL).from(o).fetchInto(OrderLine.class),
        tx -> tx.select(o.TENANT_ID, o.CODE, o.TOTAL).from(o).fetch(mapping(OrderLine::new)),
        tx -> tx.selectFrom(o).fetchMap(o.ID, o.CODE),
        tx -> tx.selectFrom(o).fetchGroups(o.TOTAL),
        tx -> tx.selectFrom(o).stream().count(),
        tx -> {
          try (var rows = tx.selectFrom(o).fetchLazy()) {
            return rows.stream().count();
          }
        },
        tx -> tx.selectFrom(o).fetchSize(2).queryTimeout(5).maxRows(2).fetch(),
        tx -> tx.select(row(o.ID, o.CODE).mapping(List::of)).from(o).fetch(),
        tx -> tx.dsl().fetchSingle(select(val(1))),
        tx -> tx.insertInto(o, o.CODE).values("a").returning().fetchSingle(),
        tx -> tx.insertInto(o).defaultValues().getSQL(),
        tx -> tx.insertInto(o, o.CODE).values("a").onConflict().doNothing().returning().fetch(),
        tx -> tx.newRecord(TICKET).into(TICKET),
        tx -> tx.selectFrom(o).toString());
  }

  @Test
  void sendsExpressions() {
    var refused =
        expressions()
            .filter(field -> !isSent(tx -> tx.select(field).from(ORDERS).fetch()))
            .map(Object::toString)
            .toList();

    assertThat(refused).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("statements")
  void sendsStatements(Function<DSLContext, Object> statement) {
    assertThatCode(() -> tenants.ann(statement)).doesNotThrowAnyException();
  }

  @Test
  void sendsCastsToAllTypesOfPostgres() {
    var types =
        List.<DataType<?>>of(
            SQLDataType.CHAR(3),
            SQLDataType.VARCHAR,
            SQLDataType.CLOB,
            SQLDataType.BOOLEAN,
            SQLDataType.SMALLINT,
            SQLDataType.INTEGER,
            SQLDataType.BIGINT,
            SQLDataType.REAL,
            SQLDataType.DOUBLE,
            SQLDataType.NUMERIC,
            SQLDataType.DECIMAL(8, 3),
            SQLDataType.DATE,
            SQLDataType.LOCALDATE,
            SQLDataType.TIME,
            SQLDataType.LOCALTIME(3),
            SQLDataType.TIMESTAMP,
            SQLDataType.LOCALDATETIME(6),
            SQLDataType.OFFSETDATETIME(6),
            SQLDataType.TIMESTAMPWITHTIMEZONE,
            SQLDataType.OFFSETTIME,
            SQLDataType.INSTANT,
            SQLDataType.INTERVALDAYTOSECOND,
            SQLDataType.INTERVALYEARTOMONTH,
            SQLDataType.INTERVAL,
            SQLDataType.UUID,
            SQLDataType.JSON,
            SQLDataType.JSONB,
            SQLDataType.BLOB,
            SQLDataType.VARBINARY,
            SQLDataType.XML,
            SQLDataType.BIT,
            SQLDataType.UUID.array(),
            SQLDataType.VARCHAR(9).array(),
            SQLDataType.NUMERIC(8, 3).array());

    var refused =
        types.stream()
            .filter(type -> !isSent(tx -> tx.select(val((String) null).cast(type)).fetch()))
            .map(DataType::getTypeName)
            .collect(Collectors.toSet());

    assertThat(refused).isEmpty();
  }

  @Test
  void takesTenantIdsThroughConverters() {
    var tenant = ORDERS.TENANT_ID.convert(TenantId.class, TenantId::new, TenantId::value);

    var rows =
        tenants.ann(tx -> tx.select(tenant).from(ORDERS).where(tenant.eq(Acme.ANN)).fetch(tenant));

    assertThat(rows).hasSize(ThreeTenants.ORDERS_EACH).containsOnly(Acme.ANN);
  }

  private static boolean isSent(Function<DSLContext, Object> statement) {
    try {
      return tenants.ann(statement) != null;
    } catch (RuntimeException e) {
      return false;
    }
  }
}
