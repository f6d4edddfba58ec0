package io.leasehold.db.scope;

import io.leasehold.db.refuse.Refusal;
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
import org.jooq.impl.TableImpl;
import org.jspecify.annotations.Nullable;

/** Narrows updates and deletes to the caller's own rows. */
record ScopedWrites(TenantScope scope) {

  // jOOQ's class for table.where(…) is not public.
  private static final String NARROWED = "org.jooq.impl.InlineDerivedTable";

  QueryPart update(QOM.Update<?> update) {
    requireTable(update.$table());
    refuseMoving(update.$set());
    return update.$where(ownAnd(update.$table(), update.$where()));
  }

  QueryPart delete(QOM.Delete<?> delete) {
    requireTable(delete.$from());
    requireOwnKey(delete);
    return delete.$where(ownAnd(delete.$from(), delete.$where()));
  }

  /** Requires that the target of a write is one table, with or without an alias and a condition. */
  static void requireTable(Table<?> target) {
    var table = target instanceof QOM.TableAlias<?> alias ? alias.$aliased() : target;
    if (!(table instanceof TableImpl<?>) && !table.getClass().getName().equals(NARROWED)) {
      throw Refusal.statement("only a table can be written, not %s".formatted(target));
    }
  }

  // For a limited delete, jOOQ looks up the rows by their key and deletes all rows with that key.
  private static void requireOwnKey(QOM.Delete<?> delete) {
    var limited = delete.$limit() != null || !delete.$orderBy().isEmpty();
    var key = delete.$from().getPrimaryKey();
    if (limited && (key == null || key.getFields().stream().noneMatch(OwnTenant::isColumn))) {
      throw Refusal.statement(
          "delete from %s … limit needs a primary key with tenant_id".formatted(delete.$from()));
    }
  }

  /**
   * Returns the condition for the caller's own rows of a target, combined with a given condition,
   * if any.
   */
  Condition ownAnd(Table<?> target, @Nullable Condition where) {
    var own = scope.writes(target.getUnqualifiedName());
    return where == null ? own : DSL.and(own, where);
  }

  /**
   * Refuses to move a row to another tenant. Assigning the row's own tenant again, as records may
   * do, is harmless.
   */
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
