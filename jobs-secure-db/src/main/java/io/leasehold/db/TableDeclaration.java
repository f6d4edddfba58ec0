package io.leasehold.db;

import org.jooq.Name;
import org.jooq.Table;

/** What a module uses in tenant transactions; collected by {@link TenantTableBinder}. */
public sealed interface TableDeclaration {

  /** A generated table, or view, of which every row belongs to a tenant. */
  record Scoped(Table<?> table) implements TableDeclaration {}

  /** A generated table whose rows are the same for all tenants: read as they are, never written. */
  record Shared(Table<?> table) implements TableDeclaration {}

  /** A function of a module's own schema. It runs under row level security like any statement. */
  record Callable(Name function) implements TableDeclaration {}
}
