package io.leasehold.db.scope;

import io.leasehold.db.refuse.OpaqueParts;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jooq.CommonTableExpression;
import org.jooq.Field;
import org.jooq.Select;
import org.jooq.Table;
import org.jooq.VisitContext;

/**
 * Determines which tables a FOR UPDATE (or SHARE) locks: those in its FROM, including derived ones.
 *
 * <p>A lock blocks others as a write does, so only the caller's own rows may be locked.
 */
final class LockedRows {

  private LockedRows() {}

  /** Returns whether the rows of the visited table are locked. */
  static boolean include(VisitContext visit) {
    var around = List.of(visit.queryParts()).reversed();
    Set<String> names = new HashSet<>();
    for (var part : around) {
      switch (part) {
        case Select<?> select when OpaqueParts.locks(select, names) -> {
          return true;
        }
        case CommonTableExpression<?> _, Field<?> _ -> {
          return false;
        }
        case Table<?> table -> names.add(table.getName());
        default -> {}
      }
    }
    return false;
  }
}
