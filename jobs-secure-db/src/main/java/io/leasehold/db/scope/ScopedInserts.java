package io.leasehold.db.scope;

import io.leasehold.db.refuse.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.jooq.Field;
import org.jooq.Row;
import org.jooq.Select;
import org.jooq.impl.DSL;
import org.jooq.impl.QOM;
import org.jooq.impl.SQLDataType;

/** Sets the caller's own tenant in every inserted row. */
record ScopedInserts(TenantScope scope, ScopedWrites writes) {

  ScopedInserts(TenantScope scope) {
    this(scope, new ScopedWrites(scope));
  }

  QOM.Insert<?> scope(QOM.Insert<?> insert) {
    ScopedWrites.requireTable(insert.$into());
    return onlyOwnOnConflict(withTenant(insert));
  }

  private QOM.Insert<?> withTenant(QOM.Insert<?> insert) {
    var select = insert.$select();
    if (select != null) {
      return selected(insert, select);
    }
    if (insert.$defaultValues() || insert.$columns().isEmpty()) {
      return defaults(insert);
    }
    return values(insert);
  }

  private QOM.Insert<?> defaults(QOM.Insert<?> insert) {
    var tenant = tenantOf(insert);
    return insert
        .$defaultValues(false)
        .$columns(List.of(tenant))
        .$values(List.of(DSL.row(ownValue(tenant))));
  }

  private QOM.Insert<?> values(QOM.Insert<?> insert) {
    var rows = insert.$values();
    if (insert.$columns().stream().anyMatch(OwnTenant::isColumn)) {
      rows.forEach(row -> requireOwn(insert.$columns(), row));
      return insert;
    }
    var tenant = tenantOf(insert);
    var scopedRows = rows.stream().map(row -> DSL.row(and(row.fields(), ownValue(tenant))));
    var scopedColumns = and(insert.$columns().toArray(Field[]::new), tenant);
    return insert.$columns(scopedColumns).$values(scopedRows.toList());
  }

  private void requireOwn(List<? extends Field<?>> columns, Row row) {
    for (int i = 0; i < columns.size(); i++) {
      if (OwnTenant.isColumn(columns.get(i))) {
        OwnTenant.require(scope, row.field(i));
      }
    }
  }

  // The tenant is added around the select, so that its unions, limits and groups stay unchanged.
  private QOM.Insert<?> selected(QOM.Insert<?> insert, Select<?> select) {
    if (insert.$columns().isEmpty()) {
      throw Refusal.statement(
          "insert into %s select … needs a list of columns".formatted(insert.$into()));
    }
    if (insert.$columns().stream().anyMatch(OwnTenant::isColumn)) {
      throw Refusal.statement(
          "insert into %s select … is given its tenant_id: leave it out".formatted(insert.$into()));
    }
    var tenant = tenantOf(insert);
    var rows = select.asTable("selected");
    var scoped = DSL.select(rows.asterisk(), ownValue(tenant)).from(rows);
    var columns = and(insert.$columns().toArray(Field[]::new), tenant);
    return insert.$columns(columns).$select(scoped);
  }

  /** On a conflict with another tenant's row, nothing changes, whatever the unique key. */
  private QOM.Insert<?> onlyOwnOnConflict(QOM.Insert<?> insert) {
    if (!insert.$onDuplicateKeyUpdate()) {
      return insert;
    }
    writes.refuseMoving(insert.$updateSet());
    return insert.$updateWhere(writes.ownAnd(insert.$into(), insert.$updateWhere()));
  }

  // By name only, since a table could return another column, or a type that converts the value.
  private static Field<?> tenantOf(QOM.Insert<?> insert) {
    return DSL.field(
        insert.$into().getUnqualifiedName().append(TenantScope.COLUMN), SQLDataType.UUID);
  }

  private Field<?> ownValue(Field<?> tenant) {
    return scope.ownValue(tenant.getDataType());
  }

  private static List<Field<?>> and(Field<?>[] fields, Field<?> last) {
    var all = new ArrayList<Field<?>>(List.of(fields));
    all.add(last);
    return all;
  }
}
