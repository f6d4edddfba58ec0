package io.leasehold.db.scope;

import io.leasehold.db.refuse.OpaqueParts;
import io.leasehold.db.refuse.PartKind;
import java.util.List;
import org.jooq.Context;
import org.jooq.Keyword;
import org.jooq.Name;
import org.jooq.QueryPart;
import org.jooq.Table;
import org.jooq.VisitContext;
import org.jooq.impl.CustomQueryPart;
import org.jooq.impl.DSL;
import org.jooq.impl.QOM;
import org.jooq.impl.TableImpl;

/**
 * Replaces the rows of a function in a FROM clause with a select of the same rows.
 *
 * <p>If a function's rows have a single value, PostgreSQL takes the name of the rows for that
 * value, and reads {@code t.f} as {@code f(t)}: any function of one argument could be called
 * through a column's name. The name of a select's rows is a row instead, which only functions that
 * display rows accept.
 */
final class FunctionRows extends CustomQueryPart {

  private static final long serialVersionUID = 1L;

  private static final Keyword LATERAL = DSL.keyword("lateral");
  private static final Keyword SELECT_ALL_FROM = DSL.keyword("select * from");
  private static final Keyword AS = DSL.keyword("as");

  private final transient QueryPart function;
  private final transient Name name;
  private final boolean lateral;

  private FunctionRows(QueryPart function, Name name, boolean lateral) {
    this.function = function;
    this.name = name;
    this.lateral = lateral;
  }

  /** Returns whether the visited rows are those of a function, and not yet selected from it. */
  static boolean areIn(VisitContext visit, Table<?> table) {
    return visit.context().declareTables() && isFunction(table) && !isInside(visit);
  }

  private static boolean isFunction(Table<?> table) {
    return switch (PartKind.of(table)) {
      case FUNCTION_ROWS, FUNCTION_TABLE -> true;
      case TABLE_ALIAS -> isFunction(((QOM.TableAlias<?>) table).$aliased());
      case TABLE -> isFunction((TableImpl<?>) table);
      default -> false;
    };
  }

  private static boolean isFunction(TableImpl<?> table) {
    return OpaqueParts.isAlias(table)
        ? isFunction(OpaqueParts.aliased(table))
        : table.getTableType().isFunction() && !DeclaredTables.answersRows(table);
  }

  // The function was already handled together with its alias.
  private static boolean isInside(VisitContext visit) {
    return switch (around(visit)) {
      case FunctionRows _ -> true;
      case QOM.WithOrdinalityTable<?> _ -> true;
      case QueryPart part -> PartKind.of(part) == PartKind.ALIAS;
    };
  }

  /** Returns the visited rows, selected from their function. */
  static FunctionRows of(VisitContext visit, Table<?> table) {
    var isLateral =
        switch (around(visit)) {
          case QOM.Lateral<?> _, QOM.CrossApply<?> _, QOM.OuterApply<?> _ -> true;
          default -> false;
        };
    return new FunctionRows(table, nameOf(table), !isLateral);
  }

  private static Name nameOf(Table<?> table) {
    return PartKind.of(table) == PartKind.FUNCTION_TABLE
        ? OpaqueParts.functionOf(table).getUnqualifiedName()
        : table.getUnqualifiedName();
  }

  private static QueryPart around(VisitContext visit) {
    var parts = List.of(visit.queryParts());
    return parts.get(Math.max(0, parts.size() - 2));
  }

  @Override
  public void accept(Context<?> context) {
    if (lateral) {
      context.visit(LATERAL).sql(' ');
    }
    context.sql('(').visit(SELECT_ALL_FROM).sql(' ');
    context.declareTables(true, c -> c.declareAliases(true, all -> all.visit(function)));
    context.sql(") ").visit(AS).sql(' ').visit(name);
  }
}
