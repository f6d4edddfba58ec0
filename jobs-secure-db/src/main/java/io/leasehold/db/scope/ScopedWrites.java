package io.leasehold.db.scope;

import java.util.Map;
import java.util.stream.Stream;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.FieldOrRow;
import org.jooq.QueryPart;
import org.jooq.Row;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.QOM;
import org.jspecify.annotations.Nullable;

/** Narrows updates and deletes to the caller's own rows. */
record ScopedWrites(TenantScope scope) {

  QueryPart update(QOM.Update<?> update) {
    refuseMoving(update.$set());
    return update.$where(ownAnd(update.$table(), update.$where()));
  }

  QueryPart delete(QOM.Delete<?> delete) {
    return delete.$where(ownAnd(delete.$from(), delete.$where()));
  }

  /** The caller's own rows of a target, of those that a condition (none: all) names. */
  Condition ownAnd(Table<?> target, @Nullable Condition where) {
    var own = scope.writes(target.getUnqualifiedName());
    return where == null ? own : DSL.and(own, where);
  }

  /** A row stays with its tenant. Setting it to what it is, as records may, does no harm. */
  void refuseMoving(Map<? extends FieldOrRow, ?> assignments) {
    assignments.forEach(
        (target, value) -> {
          if (target instanceof Row row && Stream.of(row.fields()).anyMatch(OwnTenant::isColumn)) {
            throw Refusal.statement("a row cannot change its tenant: leave tenant_id out");
          }
          if (target instanceof Field<?> field && OwnTenant.isColumn(field)) {
            OwnTenant.require(scope, value);
          }
        });
  }
}
