package io.leasehold.db;

import java.util.Optional;
import org.jooq.Name;
import org.jooq.Table;

/**
 * A table, function or setting that a module uses in tenant transactions; collected by {@link
 * TenantTableBinder}.
 */
public sealed interface TableDeclaration {

  /** A generated table or view in which every row belongs to a tenant. */
  record Scoped(Table<?> table) implements TableDeclaration {}

  /** A generated table whose rows are the same for all tenants: read unchanged, never written. */
  record Shared(Table<?> table) implements TableDeclaration {}

  /** A function of a module's own schema. It runs under row level security like any statement. */
  record Callable(Name function) implements TableDeclaration {}

  /** A module's own setting, which its transactions set and its triggers and functions read. */
  record Setting(String name) implements TableDeclaration {

    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException if the name is not two words with a dot between them, or is
     *     the platform's or the server's own
     */
    public Setting {
      problem(name)
          .ifPresent(
              problem -> {
                throw new IllegalArgumentException(problem);
              });
    }

    /** Returns why a setting with this name cannot be a module's own; empty if it can. */
    public static Optional<String> problem(String name) {
      return LocalSetting.problem(name);
    }
  }
}
