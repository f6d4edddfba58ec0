package io.leasehold.db.scope;

import io.leasehold.db.TableDeclaration;
import io.leasehold.db.schema.Leasehold;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jooq.Name;
import org.jooq.Table;
import org.jooq.TableOptions;
import org.jooq.impl.DSL;

/**
 * The tables and functions that tenant transactions may use. What is not here is refused.
 *
 * <p>Immutable.
 */
public final class DeclaredTables {

  /** What a declared table holds. */
  enum Kind {
    /** Rows of tenants: every statement on it is scoped. */
    SCOPED,
    /** Rows that are the same for all tenants: read as they are, never written. */
    SHARED
  }

  /** The platform's own schema, in which no module can make anything. */
  private static final Name PLATFORM = Leasehold.LEASEHOLD.getQualifiedName();

  private final Map<Name, Kind> tables;
  private final Set<Name> views;
  private final Set<Name> functions;

  private DeclaredTables(Map<Name, Kind> tables, Set<Name> views, Set<Name> functions) {
    this.tables = Map.copyOf(tables);
    this.views = Set.copyOf(views);
    this.functions = Set.copyOf(functions);
  }

  /**
   * Collects what modules declare.
   *
   * @throws IllegalArgumentException if a scoped table has no {@code tenant_id}, a shared one has,
   *     or a table was generated without its schema
   */
  public static DeclaredTables of(Collection<TableDeclaration> declarations) {
    var tables = new HashMap<Name, Kind>();
    var functions = new HashSet<Name>();
    for (var declaration : declarations) {
      switch (declaration) {
        case TableDeclaration.Scoped(var table) -> tables.put(scopedName(table), Kind.SCOPED);
        case TableDeclaration.Shared(var table) -> tables.put(sharedName(table), Kind.SHARED);
        case TableDeclaration.Callable(var function) -> functions.add(function);
      }
    }
    return new DeclaredTables(tables, views(declarations), functions);
  }

  private static Set<Name> views(Collection<TableDeclaration> declarations) {
    return declarations.stream()
        .flatMap(
            declaration ->
                switch (declaration) {
                  case TableDeclaration.Scoped(var table) -> Stream.of(table);
                  case TableDeclaration.Shared(var table) -> Stream.of(table);
                  case TableDeclaration.Callable _ -> Stream.empty();
                })
        .filter(table -> !table.getTableType().isTable())
        .filter(table -> !isPlatforms(table))
        .map(DeclaredTables::nameOf)
        .collect(Collectors.toSet());
  }

  Optional<Kind> kind(Table<?> table) {
    return Optional.ofNullable(tables.get(folded(table)));
  }

  // As PostgreSQL does: what is not quoted is lower case.
  private static Name folded(Table<?> table) {
    var name = nameOf(table);
    return table.getUnqualifiedName().quoted() == Name.Quoted.UNQUOTED
        ? DSL.name(Stream.of(name.getName()).map(part -> part.toLowerCase(Locale.ROOT)).toList())
        : name;
  }

  /** Whether what is declared is no plain table, but a module's view or the like, with its code. */
  boolean isModulesView(Table<?> table) {
    return views.contains(folded(table));
  }

  /** Whether it is the rows of a declared function: what it returns is its own to scope. */
  boolean isFunction(Table<?> table) {
    return table.getTableType() == TableOptions.TableType.FUNCTION && allowsFunction(nameOf(table));
  }

  /** Whether it is the platform's own: its views and functions leave nothing on a connection. */
  static boolean isPlatforms(Table<?> table) {
    var schema = table.getSchema();
    return schema != null && schema.getQualifiedName().equals(PLATFORM);
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

  private static Name scopedName(Table<?> table) {
    if (table.field(TenantScope.COLUMN) == null) {
      throw new IllegalArgumentException(
          "table %s has no column tenant_id to be scoped by".formatted(table));
    }
    return nameWithSchema(table);
  }

  private static Name sharedName(Table<?> table) {
    if (table.field(TenantScope.COLUMN) != null) {
      throw new IllegalArgumentException(
          "table %s has a column tenant_id, so it is not shared".formatted(table));
    }
    return nameWithSchema(table);
  }

  private static Name nameWithSchema(Table<?> table) {
    if (table.getSchema() == null) {
      throw new IllegalArgumentException(
          "table %s has to be generated with its schema".formatted(table));
    }
    return nameOf(table);
  }
}
