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
 * Knows which tables a FOR UPDATE (or SHARE) locks: those in its FROM, derived ones included.
 *
 * <p>A lock holds others up, as a write does, so it is for the caller's own rows.
 */
final class LockedRows {

  private LockedRows() {}

  /** Whether the rows of the table that is visited are locked. */
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
