package io.leasehold.db.scope;

import io.leasehold.db.TableDeclaration;
import io.leasehold.db.refuse.ReferencedColumns;
import io.leasehold.db.refuse.Refusal;
import io.leasehold.db.schema.Leasehold;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jooq.Name;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/**
 * The tables, functions and settings that tenant transactions may use. All others are refused.
 *
 * <p>Immutable.
 */
public final class DeclaredTables {

  /** The kind of rows in a declared table. */
  enum Kind {
    /** Rows of tenants: every statement on the table is scoped. */
    SCOPED,
    /** Rows that are the same for all tenants: read unchanged, never written. */
    SHARED
  }

  /**
   * A declared table.
   *
   * @param name the name to write, whatever name the table itself returns later
   * @param modulesView whether it is not a plain table, but a module's view or the like, with code
   * @param columns the names of its columns
   */
  record Declared(Name name, Kind kind, boolean modulesView, Set<String> columns) {

    static Declared of(Table<?> table, Kind kind) {
      var name = nameWithSchema(table);
      return new Declared(
          name,
          kind,
          !table.getTableType().isTable() && !isPlatforms(name),
          columnsOf(table).collect(Collectors.toUnmodifiableSet()));
    }
  }

  /** The platform's own schema, in which no module can create objects. */
  private static final String PLATFORM = Leasehold.LEASEHOLD.getName();

  // The platform's functions whose rows have several columns.
  private static final Set<Class<?>> ROWS =
      Leasehold.LEASEHOLD.getTables().stream()
          .filter(table -> table.getTableType().isFunction() && table.fields().length > 1)
          .map(Table::getClass)
          .collect(Collectors.toUnmodifiableSet());

  private final Map<Name, Declared> tables;
  private final Map<Table<?>, Declared> instances;
  private final Set<Name> functions;
  private final Set<String> settings;
  private final Set<String> columns;

  private DeclaredTables(
      Map<Name, Declared> tables,
      Map<Table<?>, Declared> instances,
      Set<Name> functions,
      Set<String> settings) {
    this.tables = Map.copyOf(tables);
    this.instances = instances;
    this.functions = Set.copyOf(functions);
    this.settings = Set.copyOf(settings);
    this.columns =
        Stream.concat(
                tables.values().stream().flatMap(table -> table.columns().stream()),
                Leasehold.LEASEHOLD.getTables().stream().flatMap(DeclaredTables::columnsOf))
            .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Collects the declarations of the modules.
   *
   * @throws IllegalArgumentException if a scoped table has no {@code tenant_id}, a shared one has
   *     one, or a table was generated without its schema
   */
  public static DeclaredTables of(Collection<TableDeclaration> declarations) {
    var tables = new HashMap<Name, Declared>();
    var instances = new IdentityHashMap<Table<?>, Declared>();
    var functions = new HashSet<Name>();
    var settings = new HashSet<String>();
    for (var declaration : declarations) {
      switch (declaration) {
        case TableDeclaration.Scoped(var table) -> instances.put(table, scoped(table));
        case TableDeclaration.Shared(var table) -> instances.put(table, shared(table));
        case TableDeclaration.Callable(var function) -> functions.add(function);
        case TableDeclaration.Setting(var name) -> settings.add(name);
      }
    }
    instances.values().forEach(declared -> tables.put(declared.name(), declared));
    return new DeclaredTables(tables, instances, functions, settings);
  }

  /** Returns the declaration of a table, found by the table itself or by its name. */
  @Nullable Declared find(Table<?> table) {
    var declared = instances.get(table);
    return declared != null ? declared : tables.get(nameOf(table));
  }

  /** Returns the column names of all declared tables and of the platform's tables. */
  Set<String> columns() {
    return columns;
  }

  /** Returns the names of a table's columns; empty if it is not declared. */
  Set<String> columns(Table<?> table) {
    var declared = find(table);
    return declared == null ? Set.of() : declared.columns();
  }

  private static Stream<String> columnsOf(Table<?> table) {
    return Stream.of(table.fields()).map(ReferencedColumns::nameOf);
  }

  /**
   * Returns whether the name is in the platform's schema, whose objects leave nothing on a
   * connection.
   */
  static boolean isPlatforms(Name name) {
    return PLATFORM.equals(name.first());
  }

  /**
   * Returns whether the table consists of rows with several columns from one of the platform's
   * functions.
   */
  static boolean answersRows(Table<?> function) {
    return ROWS.contains(function.getClass());
  }

  /**
   * Refuses a setting that no module declared.
   *
   * @throws io.leasehold.jobs.JobsException with {@link
   *     io.leasehold.jobs.ErrorCode#STATEMENT_REFUSED}
   */
  public void requireSetting(String setting) {
    if (!settings.contains(setting)) {
      throw Refusal.statement(
          TableDeclaration.Setting.problem(setting)
              .orElse(
                  "setting %s is not declared: declare it with tenantTables(binder()).setting(…)"
                      .formatted(setting)));
    }
  }

  boolean allowsFunction(Name function) {
    return functions.contains(function);
  }

  // A generated table's own qualified name lacks its schema. This uses the parts that jOOQ writes,
  // which no subclass can override.
  static Name nameOf(Table<?> table) {
    var schema = table.getSchema();
    return schema == null
        ? table.getUnqualifiedName()
        : DSL.name(ReferencedColumns.nameOf(schema), ReferencedColumns.nameOf(table));
  }

  private static Declared scoped(Table<?> table) {
    if (table.field(TenantScope.COLUMN) == null) {
      throw new IllegalArgumentException(
          "table %s has no column tenant_id to be scoped by".formatted(table));
    }
    return Declared.of(table, Kind.SCOPED);
  }

  private static Declared shared(Table<?> table) {
    if (table.field(TenantScope.COLUMN) != null) {
      throw new IllegalArgumentException(
          "table %s has a column tenant_id, so it is not shared".formatted(table));
    }
    return Declared.of(table, Kind.SHARED);
  }

  private static Name nameWithSchema(Table<?> table) {
    var name = nameOf(table);
    if (!name.qualified()) {
      throw new IllegalArgumentException(
          "table %s has to be generated with its schema".formatted(table));
    }
    return name;
  }
}
