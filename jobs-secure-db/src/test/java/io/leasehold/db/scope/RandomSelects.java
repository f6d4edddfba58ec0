package io.leasehold.db.scope;

import static io.leasehold.db.acme.Tables.COUNTRY;
import static io.leasehold.db.acme.Tables.CUSTOMER;
import static io.leasehold.db.acme.Tables.ORDERS;
import static io.leasehold.db.acme.Tables.ORDER_V;
import static io.leasehold.db.scope.Ticket.TICKET;
import static org.jooq.impl.DSL.concat;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.exists;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.max;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.notExists;
import static org.jooq.impl.DSL.rollup;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.val;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Record1;
import org.jooq.Select;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/**
 * Composes valid selects at random. The same seed gives the same selects.
 *
 * <p>Every column is made text, and every select has one column, so that all fits all.
 */
final class RandomSelects {

  private static final List<Table<?>> TABLES =
      List.of(ORDERS, CUSTOMER, TICKET, COUNTRY, ORDER_V, ORDERS, CUSTOMER);
  private static final List<String> CONSTANTS = List.of("10", "5", "alone", "customer 1", "zzz");

  private final Random random;
  private int names;

  RandomSelects(Random random) {
    this.random = random;
  }

  /** A table under an alias, or what else can stand in a FROM, and its columns. */
  private record Source(Table<?> table, List<Field<String>> columns) {}

  Select<Record1<String>> next(int depth) {
    return switch (depth == 0 ? 9 : random.nextInt(10)) {
      case 0, 1 -> combined(next(depth - 1), next(depth - 1));
      case 2 -> withExpression(depth - 1);
      case 3 -> grouped(depth - 1);
      case 4 -> limited(next(depth - 1));
      default -> plain(depth);
    };
  }

  /** A condition on the columns of a table that is written to. */
  Condition condition(Table<?> table) {
    return val(1).eq(1).and(condition(columns(table), 1));
  }

  private Select<Record1<String>> plain(int depth) {
    var from = source(depth);
    var columns = new ArrayList<>(from.columns);
    var joined = from.table;
    for (int i = random.nextInt(3); i > 0; i--) {
      var other = source(depth - 1);
      joined = join(joined, other, columns, depth);
    }
    var where = condition(columns, depth);
    var column = expression(columns, depth).as("c");
    var query = random.nextInt(5) == 0 ? DSL.selectDistinct(column) : select(column);
    return query.from(joined).where(where);
  }

  private Table<?> join(Table<?> left, Source right, List<Field<String>> columns, int depth) {
    var equal = pick(columns).eq(pick(right.columns));
    var both = Stream.concat(columns.stream(), right.columns.stream()).toList();
    var any = condition(both, 0);
    var kind = random.nextInt(8);
    if (kind < 6) {
      columns.addAll(right.columns);
    }
    return switch (kind) {
      case 0 -> left.join(right.table).on(any);
      case 1 -> left.leftJoin(right.table).on(any);
      case 2 -> left.rightJoin(right.table).on(any);
      case 3 -> left.fullJoin(right.table).on(equal);
      case 4 -> left.crossJoin(right.table);
      case 5 -> left.leftJoin(right.table).on(equal.or(right.columns.getFirst().isNull()));
      case 6 -> left.leftSemiJoin(right.table).on(equal);
      default -> besides(left, columns, depth);
    };
  }

  private Table<?> besides(Table<?> left, List<Field<String>> columns, int depth) {
    var inner = source(Math.max(0, depth - 1));
    var rows =
        select(pick(inner.columns).as("c"))
            .from(inner.table)
            .where(inner.columns.getFirst().ne(pick(columns)));
    var alias = nextName();
    columns.add(field(name(alias, "c"), SQLDataType.CLOB));
    return random.nextBoolean()
        ? left.crossJoin(lateral(rows).as(alias))
        : left.leftJoin(lateral(rows).as(alias)).on(val(1).eq(1));
  }

  private Source source(int depth) {
    if (depth > 0 && random.nextInt(4) == 0) {
      return derived(next(depth - 1));
    }
    var base = TABLES.get(random.nextInt(TABLES.size()));
    var alias = base.as(nextName());
    var columns = columns(alias);
    return random.nextInt(6) == 0
        ? new Source(alias.where(pick(columns).isNotNull()), columns)
        : new Source(alias, columns);
  }

  private Source derived(Select<Record1<String>> query) {
    var alias = nextName();
    return new Source(query.asTable(alias), List.of(field(name(alias, "c"), SQLDataType.CLOB)));
  }

  private static List<Field<String>> columns(Table<?> table) {
    return table.fieldStream().<Field<String>>map(f -> f.cast(SQLDataType.CLOB)).toList();
  }

  private Field<String> expression(List<Field<String>> columns, int depth) {
    return switch (random.nextInt(7)) {
      case 0 -> concat(pick(columns), inline("/"), pick(columns));
      case 1 -> DSL.coalesce(pick(columns), inline("none"));
      case 2 -> DSL.when(condition(columns, 0), pick(columns)).otherwise(pick(columns));
      case 3 -> max(pick(columns)).over().partitionBy(pick(columns));
      case 4 -> depth > 0 ? aggregate(depth - 1, columns) : pick(columns);
      default -> pick(columns);
    };
  }

  private Field<String> aggregate(int depth, List<Field<String>> outer) {
    var inner = source(depth);
    return field(
            select(count())
                .from(inner.table)
                .where(pick(inner.columns).eq(pick(outer)).or(condition(inner.columns, 0))))
        .cast(SQLDataType.CLOB);
  }

  private Condition condition(List<Field<String>> columns, int depth) {
    var column = pick(columns);
    return switch (random.nextInt(depth > 0 ? 11 : 7)) {
      case 0 -> column.ne(constant());
      case 1 -> column.ge(constant()).or(column.le(constant()));
      case 2 -> column.isNotNull();
      case 3 -> column.le(pick(columns)).or(column.eq(constant()));
      case 4 -> column.eq(constant()).or(condition(columns, 0).not());
      case 5 -> column.notIn(constant(), constant());
      case 6 -> DSL.noCondition();
      case 7 -> column.in(next(depth - 1));
      case 8 -> column.ne(DSL.all(next(depth - 1)));
      case 9 -> exists(selectOne().from(next(depth - 1).asTable(nextName())));
      default -> {
        var inner = source(depth - 1);
        yield notExists(selectOne().from(inner.table).where(pick(inner.columns).eq(column)));
      }
    };
  }

  private Select<Record1<String>> combined(Select<Record1<String>> a, Select<Record1<String>> b) {
    return switch (random.nextInt(4)) {
      case 0 -> a.union(b);
      case 1 -> a.except(b);
      case 2 -> a.intersect(b);
      default -> a.unionAll(b);
    };
  }

  private Select<Record1<String>> grouped(int depth) {
    var from = source(depth);
    var key = pick(from.columns);
    var column =
        concat(DSL.coalesce(key, inline("-")), inline(":"), count().cast(SQLDataType.CLOB));
    var grouped = select(column.as("c")).from(from.table).where(condition(from.columns, depth));
    return random.nextBoolean()
        ? grouped.groupBy(key).having(count().gt(0))
        : grouped.groupBy(rollup(key));
  }

  private Select<Record1<String>> limited(Select<Record1<String>> query) {
    var rows = derived(query);
    var column = rows.columns.getFirst();
    return select(column.as("c")).from(rows.table).orderBy(column).limit(1 + random.nextInt(9));
  }

  private Select<Record1<String>> withExpression(int depth) {
    // Sometimes called like a table that it hides.
    var called = random.nextInt(3) == 0 ? "orders" : nextName();
    CommonTableExpression<Record1<String>> expression = name(called).as(next(depth));
    var column = field(name(called, "c"), SQLDataType.CLOB);
    Table<? extends Record> reference = random.nextBoolean() ? expression : table(name(called));
    var other = source(depth);
    return DSL.with(expression)
        .select(DSL.coalesce(column, pick(other.columns)).as("c"))
        .from(reference)
        .leftJoin(other.table)
        .on(column.eq(pick(other.columns)));
  }

  private Field<String> constant() {
    var constant = CONSTANTS.get(random.nextInt(CONSTANTS.size()));
    return random.nextBoolean() ? val(constant) : inline(constant);
  }

  private <T> T pick(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  private String nextName() {
    return "n" + names++;
  }
}
