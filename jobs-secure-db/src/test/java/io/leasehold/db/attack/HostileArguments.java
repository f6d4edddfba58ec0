package io.leasehold.db.attack;

import static io.leasehold.db.acme.Tables.ORDERS;
import static org.jooq.impl.DSL.aggregate;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.keyword;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.sql;
import static org.jooq.impl.DSL.systemName;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.unnest;
import static org.jooq.impl.DSL.unquotedName;
import static org.jooq.impl.DSL.val;

import io.leasehold.db.scope.LyingTable;
import java.lang.reflect.Array;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Year;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jooq.JSON;
import org.jooq.JSONB;
import org.jooq.Table;
import org.jooq.XML;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultDataType;
import org.jooq.impl.SQLDataType;
import org.jooq.types.DayToSecond;
import org.jooq.types.UByte;
import org.jooq.types.UInteger;
import org.jooq.types.ULong;
import org.jooq.types.UShort;
import org.jooq.types.YearToMonth;
import org.jspecify.annotations.Nullable;

/**
 * Arguments of a type, of which one holds SQL of its author's own wherever there is room for it.
 */
final class HostileArguments {

  /** What no statement may have outside of a literal or a quoted name. */
  static final String MARKER = "canary";

  // A function of the test's database that says so when it runs.
  private static final String CALL = "attack.canary()";
  private static final List<String> TEXTS =
      List.of(
          "select to_tsvector(" + CALL + ")",
          "x'); select " + CALL + " --",
          "x\"); select " + CALL + " --",
          CALL,
          "\\'||" + CALL + "--");
  private static final List<String> NAMES =
      List.of("ts_stat", "query_to_xml", "set_config", "row_to_json", "orders", "t");

  private final Random random;
  private final List<Object> parts;

  HostileArguments(Random random) {
    this.random = random;
    this.parts = parts();
  }

  /** The sources of a statement that may be what a field in it calls by its name. */
  static Table<?> text() {
    return unnest(DSL.array(inline(TEXTS.getFirst()))).as("t");
  }

  private static List<Object> parts() {
    var parts = new ArrayList<Object>();
    for (var text : TEXTS) {
      parts.add(inline(text));
      parts.add(val(text));
      parts.addAll(List.of(sql(text), keyword(text), DSL.comment(text), DSL.collation(text)));
      parts.add(inline(new TextualNumber(CALL)));
      parts.add(DefaultDataType.getDefaultDataType(text));
      parts.add(inline(text).as(text));
      parts.addAll(named(text));
    }
    for (var name : NAMES) {
      parts.addAll(named(name));
      parts.add(aggregate(name, String.class, inline(TEXTS.getFirst()), inline(true)));
      parts.add(function(name, String.class, inline(TEXTS.getFirst())));
      parts.add(table(function(name, SQLDataType.RESULT, inline(TEXTS.getFirst()))));
      parts.add(field(name("t", name)));
      parts.add(field(name("orders", name)));
    }
    parts.addAll(
        List.of(
            ORDERS,
            ORDERS.CODE,
            ORDERS.TOTAL,
            ORDERS.TOTAL.gt(1),
            ORDERS.ID.sort(org.jooq.SortOrder.DESC),
            text(),
            select(ORDERS.ID).from(ORDERS),
            select(inline(TEXTS.get(1))),
            DSL.row(ORDERS.ID, inline(TEXTS.get(1))),
            DSL.key(inline(TEXTS.get(1))).value(inline(TEXTS.get(2))),
            DSL.orderBy(ORDERS.ID),
            name(TEXTS.get(2)).as(DSL.orderBy(ORDERS.ID)),
            name("c").fields(TEXTS.get(2)).as(select(inline(TEXTS.get(1)))),
            DSL.values(DSL.row(inline(TEXTS.get(1)))).as("v", TEXTS.get(2)),
            DSL.asterisk(),
            DSL.all(inline(new String[] {TEXTS.get(1)})),
            SQLDataType.CLOB,
            SQLDataType.INTEGER,
            SQLDataType.CLOB.array()));
    return parts;
  }

  private static List<Object> named(String text) {
    var names = List.of(name(text), unquotedName(text), systemName(text), name("pg_catalog", text));
    var parts = new ArrayList<Object>(names);
    for (var name : names) {
      parts.add(field(name));
      parts.add(table(name));
      parts.add(ORDERS.as(name));
      parts.add(DSL.sequence(name));
      parts.add(DSL.constraint(name));
    }
    return parts;
  }

  /** All parts that are arguments, each of which is a statement's by itself. */
  Stream<Object> each() {
    return Stream.concat(parts.stream(), IntStream.range(0, 8).mapToObj(LyingTable::new));
  }

  /** Why no argument of this type is made, if none is. */
  Optional<String> refusal(Class<?> type) {
    return of(type) == null && !type.isPrimitive()
        ? Optional.of("no argument of type " + type.getName())
        : Optional.empty();
  }

  /** An argument of a type; null if there is none. */
  @Nullable Object of(Class<?> type) {
    if (type.isArray()) {
      return array(type);
    }
    if (type == Object.class) {
      return random.nextBoolean() ? text0() : pick(parts);
    }
    if (type.isAssignableFrom(LyingTable.class) && random.nextInt(8) == 0) {
      return new LyingTable(random.nextInt(8));
    }
    var plain = plain(type);
    if (plain != null) {
      return plain;
    }
    var fitting = parts.stream().filter(type::isInstance).toList();
    return fitting.isEmpty() ? null : pick(fitting);
  }

  private @Nullable Object array(Class<?> type) {
    if (type == byte[].class) {
      return new byte[] {1, 2};
    }
    var component = type.getComponentType();
    var length = 1 + random.nextInt(2);
    var array = Array.newInstance(component, length);
    for (int i = 0; i < length; i++) {
      var element = of(component);
      if (element == null) {
        return null;
      }
      Array.set(array, i, element);
    }
    return array;
  }

  private String text0() {
    return random.nextInt(3) == 0 ? pick(NAMES) : pick(TEXTS);
  }

  private <T> T pick(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  private @Nullable Object plain(Class<?> type) {
    if (type.isEnum()) {
      return type.getEnumConstants()[random.nextInt(type.getEnumConstants().length)];
    }
    var values = values();
    if (type == Class.class) {
      return pick(List.of(String.class, Integer.class, UUID.class));
    }
    if (type == String.class || type == CharSequence.class) {
      return text0();
    }
    if (Collection.class.isAssignableFrom(type) || type == Iterable.class) {
      return List.of(pick(parts));
    }
    if (type == Map.class) {
      return Map.of(pick(List.of(ORDERS.CODE, ORDERS.NOTE)), text0());
    }
    if (type.isInterface() && isFunction(type)) {
      return answering(type);
    }
    return values.get(type);
  }

  private static boolean isFunction(Class<?> type) {
    return type.getPackageName().equals("java.util.function")
        || type == Function.class
        || type == BiFunction.class
        || type == Supplier.class
        || type.getName().matches("org\\.jooq\\.(?:Function\\d+|Lambda\\d+)");
  }

  // Answers its first argument, or a hostile part where it has none.
  private Object answering(Class<?> type) {
    return java.lang.reflect.Proxy.newProxyInstance(
        type.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, args) -> {
          if (!Modifier.isAbstract(method.getModifiers())) {
            return java.lang.reflect.InvocationHandler.invokeDefault(proxy, method, args);
          }
          return args == null || args.length == 0 ? pick(parts) : args[0];
        });
  }

  @SuppressWarnings("JavaUtilDate") // jOOQ takes it
  private Map<Class<?>, Object> values() {
    var now = LocalDateTime.parse("2000-01-01T00:00");
    var values = new HashMap<Class<?>, Object>();
    values.put(int.class, 1 + random.nextInt(3));
    values.put(long.class, 2L);
    values.put(short.class, (short) 2);
    values.put(byte.class, (byte) 2);
    values.put(double.class, 0.5);
    values.put(float.class, 0.5f);
    values.put(char.class, '\'');
    values.put(boolean.class, random.nextBoolean());
    values.put(Integer.class, 2);
    values.put(Long.class, 2L);
    values.put(Short.class, (short) 2);
    values.put(Byte.class, (byte) 2);
    values.put(Double.class, 0.5);
    values.put(Float.class, 0.5f);
    values.put(Character.class, '\'');
    values.put(Boolean.class, true);
    values.put(Number.class, random.nextBoolean() ? 2 : new TextualNumber(CALL));
    values.put(BigDecimal.class, new TextualNumber(CALL));
    values.put(java.math.BigInteger.class, java.math.BigInteger.TEN);
    values.put(UByte.class, UByte.valueOf(2));
    values.put(UShort.class, UShort.valueOf(2));
    values.put(UInteger.class, UInteger.valueOf(2));
    values.put(ULong.class, ULong.valueOf(2));
    values.put(UUID.class, new UUID(0, 1));
    values.put(JSON.class, JSON.valueOf(pick(TEXTS)));
    values.put(JSONB.class, JSONB.valueOf(pick(TEXTS)));
    values.put(XML.class, XML.valueOf(pick(TEXTS)));
    values.put(LocalDate.class, LocalDate.EPOCH);
    values.put(LocalTime.class, LocalTime.NOON);
    values.put(LocalDateTime.class, now);
    values.put(OffsetDateTime.class, now.atOffset(ZoneOffset.UTC));
    values.put(OffsetTime.class, OffsetTime.MIN);
    values.put(Instant.class, Instant.EPOCH);
    values.put(java.time.temporal.Temporal.class, LocalDate.EPOCH);
    values.put(Year.class, Year.of(2000));
    values.put(java.util.Date.class, new java.util.Date(0));
    values.put(java.sql.Date.class, new java.sql.Date(0));
    values.put(java.sql.Time.class, new java.sql.Time(0));
    values.put(java.sql.Timestamp.class, new java.sql.Timestamp(0));
    values.put(YearToMonth.class, new YearToMonth(1));
    values.put(DayToSecond.class, new DayToSecond(1));
    values.put(org.jooq.types.Interval.class, new DayToSecond(1));
    return values;
  }

  /** A number that is written as any text. */
  private static final class TextualNumber extends BigDecimal {

    @java.io.Serial private static final long serialVersionUID = 1L;

    private final String text;

    TextualNumber(String text) {
      super(1);
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
