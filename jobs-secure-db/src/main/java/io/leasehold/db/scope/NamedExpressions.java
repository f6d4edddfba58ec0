package io.leasehold.db.scope;

import java.util.List;
import org.jooq.CommonTableExpression;
import org.jooq.QueryPart;
import org.jooq.Select;
import org.jooq.Table;
import org.jooq.VisitContext;
import org.jooq.impl.QOM;
import org.jspecify.annotations.Nullable;

/** Determines which common table expressions a bare name can refer to. */
final class NamedExpressions {

  private NamedExpressions() {}

  /**
   * Returns whether the table is the bare name of an expression that PostgreSQL would find there.
   */
  static boolean include(VisitContext visit, Table<?> table) {
    if (table.getSchema() != null) {
      return false;
    }
    var around = List.of(visit.queryParts());
    for (int i = 0; i < around.size(); i++) {
      var with = with(around.get(i));
      if (with != null && names(with, around.subList(i, around.size()), table)) {
        return true;
      }
    }
    return false;
  }

  private static boolean names(QOM.With with, List<QueryPart> inside, Table<?> table) {
    var expressions = with.$commonTableExpressions();
    return expressions.subList(0, visible(with, inside)).stream()
        .anyMatch(expression -> expression.getName().equals(table.getName()));
  }

  // An expression sees those before it, and, if recursive, itself and all others. The statement
  // that they belong to sees all of them.
  private static int visible(QOM.With with, List<QueryPart> inside) {
    var all = with.$commonTableExpressions();
    if (with.$recursive()) {
      return all.size();
    }
    for (int i = 0; i < all.size(); i++) {
      if (contains(inside, all.get(i))) {
        return i;
      }
    }
    return all.size();
  }

  // By identity, because two expressions with the same name are equal.
  @SuppressWarnings("ReferenceEquality")
  private static boolean contains(List<QueryPart> inside, CommonTableExpression<?> expression) {
    return inside.stream().anyMatch(part -> part == expression);
  }

  private static QOM.@Nullable With with(QueryPart part) {
    return switch (part) {
      case Select<?> select -> select.$with();
      case QOM.Insert<?> insert -> insert.$with();
      case QOM.Update<?> update -> update.$with();
      case QOM.Delete<?> delete -> delete.$with();
      default -> null;
    };
  }
}
