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
 * The tables, functions and settings that tenant transactions may use. What is not here is refused.
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

  /**
   * A declared table.
   *
   * @param name the name to write, whatever the table that was found says of itself later
   * @param modulesView whether it is no plain table, but a module's view or the like, with its code
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

  /** The platform's own schema, in which no module can make anything. */
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
   * Collects what modules declare.
   *
   * @throws IllegalArgumentException if a scoped table has no {@code tenant_id}, a shared one has,
   *     or a table was generated without its schema
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

  /** What is declared of a table, by itself or by its name. */
  @Nullable Declared find(Table<?> table) {
    var declared = instances.get(table);
    return declared != null ? declared : tables.get(nameOf(table));
  }

  /** The names of the columns of all tables that are declared, and of the platform's. */
  Set<String> columns() {
    return columns;
  }

  /** The names of a table's columns; none if it is not declared. */
  Set<String> columns(Table<?> table) {
    var declared = find(table);
    return declared == null ? Set.of() : declared.columns();
  }

  private static Stream<String> columnsOf(Table<?> table) {
    return Stream.of(table.fields()).map(ReferencedColumns::nameOf);
  }

  /** Whether the name is in the platform's schema: what is there leaves nothing on a connection. */
  static boolean isPlatforms(Name name) {
    return PLATFORM.equals(name.first());
  }

  /** Whether the table is rows of several columns, of one of the platform's functions. */
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

  // A generated table's own qualified name lacks its schema. The parts are those that are written:
  // no class that extends jOOQ's can answer them differently.
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
