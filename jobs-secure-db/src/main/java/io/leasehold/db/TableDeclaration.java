package io.leasehold.db;

import java.util.Optional;
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

  /**
   * A setting of a module's own, which its transactions set and its triggers and functions read.
   */
  record Setting(String name) implements TableDeclaration {

    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException if it is not two words with a dot between them, or the
     *     platform's or the server's own
     */
    public Setting {
      problem(name)
          .ifPresent(
              problem -> {
                throw new IllegalArgumentException(problem);
              });
    }

    /** Why a setting of this name cannot be a module's own; nothing if it can. */
    public static Optional<String> problem(String name) {
      return LocalSetting.problem(name);
    }
  }
}
