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
 * @param own the tenant whose rows it may write
 * @param readable the tenants whose rows it may read, including its own
 * @param inlined whether the tenants are written into a statement instead of being bound to it
 */
record TenantScope(TenantId own, List<TenantId> readable, boolean inlined) {

  static final String COLUMN = "tenant_id";

  static TenantScope of(SecurityContext caller) {
    return new TenantScope(caller.tenant(), List.copyOf(caller.readableTenants()), false);
  }

  boolean mayRead(TenantId tenant) {
    return readable.contains(tenant);
  }

  /**
   * Returns the same scope for a statement whose values other code binds: such code must find only
   * its own values.
   */
  TenantScope inline() {
    return new TenantScope(own, readable, true);
  }

  /** Returns the condition for rows that may be read, if the column name is unique. */
  Condition reads() {
    return readable.size() == 1
        ? changes()
        : column(DSL.name(COLUMN)).eq(DSL.any(value(readableIds(), SQLDataType.UUID.array())));
  }

  /** Returns the condition for rows that may be changed or locked, if the column name is unique. */
  Condition changes() {
    return column(DSL.name(COLUMN)).eq(ownValue(SQLDataType.UUID));
  }

  /** Returns the condition for the rows of a table, or of its alias, that may be written. */
  Condition writes(Name table) {
    return column(table.append(COLUMN)).eq(ownValue(SQLDataType.UUID));
  }

  /** Returns the caller's own tenant as a value for a column of any type. */
  <T> Field<T> ownValue(DataType<T> type) {
    return value(own.value(), type);
  }

  private <T> Field<T> value(Object value, DataType<T> type) {
    return inlined ? DSL.inline(value, type) : DSL.val(value, type);
  }

  // A single array, so that there is one statement text and one plan for any number of tenants.
  private UUID[] readableIds() {
    return readable.stream().map(TenantId::value).toArray(UUID[]::new);
  }

  private static Field<UUID> column(Name name) {
    return DSL.field(name, SQLDataType.UUID);
  }
}
