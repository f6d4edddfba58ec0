package io.leasehold.db.scope;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jooq.Name;
import org.jooq.Table;
import org.jooq.impl.DSL;

/**
 * The tables and functions that tenant transactions may use. What is not here is refused.
 *
 * <p>Immutable.
 */
public final class DeclaredTables {

  /** What a declared table holds. */
  public enum Kind {
    /** Rows of tenants: every statement on it is scoped. */
    SCOPED,
    /** Rows that are the same for all tenants: read as they are, never written. */
    SHARED
  }

  private final Map<Name, Kind> tables;
  private final Set<Name> functions;

  private DeclaredTables(Map<Name, Kind> tables, Set<Name> functions) {
    this.tables = Map.copyOf(tables);
    this.functions = Set.copyOf(functions);
  }

  public static Builder builder() {
    return new Builder();
  }

  Optional<Kind> kind(Table<?> table) {
    return Optional.ofNullable(tables.get(nameOf(table)));
  }

  boolean allowsFunction(Name function) {
    return functions.contains(function);
  }

  // A generated table's own qualified name lacks its schema.
  static Name nameOf(Table<?> table) {
    var schema = table.getSchema();
    return schema == null
        ? table.getUnqualifiedName()
        : DSL.name(schema.getName(), table.getName());
  }

  /** The names of all declared tables, for the check that the database protects them. */
  public Set<Name> names() {
    return tables.keySet();
  }

  /** Collects declarations. Not safe to share between threads. */
  public static final class Builder {

    private final Map<Name, Kind> tables = new HashMap<>();
    private final Set<Name> functions = new HashSet<>();

    /**
     * Declares a generated table, of which every row belongs to a tenant.
     *
     * @throws IllegalArgumentException if it has no {@code tenant_id}, or no schema
     */
    public Builder scoped(Table<?> table) {
      if (table.field(TenantScope.COLUMN) == null) {
        throw new IllegalArgumentException(
            "table %s has no column tenant_id to be scoped by".formatted(table));
      }
      return add(table, Kind.SCOPED);
    }

    /**
     * Declares a generated table without tenants.
     *
     * @throws IllegalArgumentException if it has a {@code tenant_id}, or no schema
     */
    public Builder shared(Table<?> table) {
      if (table.field(TenantScope.COLUMN) != null) {
        throw new IllegalArgumentException(
            "table %s has a column tenant_id, so it is not shared".formatted(table));
      }
      return add(table, Kind.SHARED);
    }

    /** Declares a function of a module; those of PostgreSQL itself need no declaration. */
    public Builder function(Name function) {
      functions.add(function);
      return this;
    }

    public DeclaredTables build() {
      return new DeclaredTables(tables, functions);
    }

    private Builder add(Table<?> table, Kind kind) {
      if (table.getSchema() == null) {
        throw new IllegalArgumentException(
            "table %s has to be generated with its schema".formatted(table));
      }
      tables.put(nameOf(table), kind);
      return this;
    }
  }
}
