package io.leasehold.db.scope;

import org.jooq.Field;
import org.jooq.QueryPart;
import org.jooq.VisitContext;
import org.jooq.impl.QOM;
import org.jooq.impl.TableImpl;

/** Determines the position of a part in its statement from the parts around it. */
final class TablePosition {

  // jOOQ's wrapper for a table and its alias is not public.
  private static final String ALIAS = "org.jooq.impl.Alias";

  private TablePosition() {}

  /** Returns whether an insert, update or delete writes to the table, with or without an alias. */
  static boolean isTarget(VisitContext visit) {
    var around = visit.queryParts();
    var i = around.length - 2;
    while (i >= 0 && isNaming(around[i])) {
      i--;
    }
    return i >= 0
        && (around[i] instanceof QOM.Insert<?>
            || around[i] instanceof QOM.Update<?>
            || around[i] instanceof QOM.Delete<?>);
  }

  private static boolean isNaming(QueryPart part) {
    return part instanceof TableImpl<?>
        || part instanceof QOM.TableAlias<?>
        || part.getClass().getName().equals(ALIAS);
  }

  /** Returns whether the value is compared with a {@code tenant_id}, alone or in a list. */
  static boolean isComparedWithTenant(VisitContext visit) {
    var around = visit.queryParts();
    for (int i = around.length - 2; i >= 0 && i >= around.length - 4; i--) {
      if (around[i] instanceof QOM.Eq<?> eq) {
        return isTenant(eq.$arg1()) || isTenant(eq.$arg2());
      }
      if (around[i] instanceof QOM.InList<?> list) {
        return isTenant(list.$field());
      }
    }
    return false;
  }

  private static boolean isTenant(Object operand) {
    return operand instanceof Field<?> field && OwnTenant.isColumn(field);
  }
}
