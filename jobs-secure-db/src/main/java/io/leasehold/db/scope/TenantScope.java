package io.leasehold.db.scope;

import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import java.util.List;
import java.util.UUID;
import org.jooq.Condition;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.Name;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/**
 * The tenants of a transaction.
 *
 * @param own whose rows it may write
 * @param readable whose rows it may read; its own among them
 * @param inlined whether they are written into a statement, and not bound to it
 */
record TenantScope(TenantId own, List<TenantId> readable, boolean inlined) {

  static final String COLUMN = "tenant_id";

  static TenantScope of(SecurityContext caller) {
    return new TenantScope(caller.tenant(), List.copyOf(caller.readableTenants()), false);
  }

  boolean mayRead(TenantId tenant) {
    return readable.contains(tenant);
  }

  /** The same, for a statement whose values somebody else binds: he finds his own alone. */
  TenantScope inline() {
    return new TenantScope(own, readable, true);
  }

  /** The rows that may be read, where the column is the only one of its name. */
  Condition reads() {
    return readable.size() == 1
        ? changes()
        : column(DSL.name(COLUMN)).eq(DSL.any(value(readableIds(), SQLDataType.UUID.array())));
  }

  /** The rows that may be changed or locked, where the column is the only one of its name. */
  Condition changes() {
    return column(DSL.name(COLUMN)).eq(ownValue(SQLDataType.UUID));
  }

  /** The rows of a table, or of its alias, that may be written. */
  Condition writes(Name table) {
    return column(table.append(COLUMN)).eq(ownValue(SQLDataType.UUID));
  }

  /** The caller's own tenant, as a column of any type takes it. */
  <T> Field<T> ownValue(DataType<T> type) {
    return value(own.value(), type);
  }

  private <T> Field<T> value(Object value, DataType<T> type) {
    return inlined ? DSL.inline(value, type) : DSL.val(value, type);
  }

  // One array, and so one statement text and one plan, however many tenants there are.
  private UUID[] readableIds() {
    return readable.stream().map(TenantId::value).toArray(UUID[]::new);
  }

  private static Field<UUID> column(Name name) {
    return DSL.field(name, SQLDataType.UUID);
  }
}
