package io.leasehold.db.scope;

import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import java.util.List;
import java.util.UUID;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Name;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/**
 * The tenants of a transaction.
 *
 * @param own whose rows it may write
 * @param readable whose rows it may read; its own among them
 */
public record TenantScope(TenantId own, List<TenantId> readable) {

  static final String COLUMN = "tenant_id";

  public static TenantScope of(SecurityContext caller) {
    return new TenantScope(caller.tenant(), List.copyOf(caller.readableTenants()));
  }

  boolean mayRead(TenantId tenant) {
    return readable.contains(tenant);
  }

  /** The rows that may be read, where the column is the only one of its name. */
  Condition reads() {
    return readable.size() == 1
        ? column(DSL.name(COLUMN)).eq(own.value())
        : column(DSL.name(COLUMN)).eq(DSL.any(readableIds()));
  }

  /** The rows of a table, or of its alias, that may be written. */
  Condition writes(Name table) {
    return column(table.append(COLUMN)).eq(own.value());
  }

  // One array, and so one statement text and one plan, however many tenants there are.
  private UUID[] readableIds() {
    return readable.stream().map(TenantId::value).toArray(UUID[]::new);
  }

  private static Field<UUID> column(Name name) {
    return DSL.field(name, SQLDataType.UUID);
  }
}
