package io.leasehold.db.scope;

import io.leasehold.db.refuse.AllowedParts;
import io.leasehold.db.refuse.OpaqueParts;
import io.leasehold.db.refuse.ReferencedColumns;
import io.leasehold.db.refuse.Refusal;
import io.leasehold.db.refuse.UntouchedConfiguration;
import io.leasehold.db.scope.DeclaredTables.Declared;
import io.leasehold.db.scope.DeclaredTables.Kind;
import io.leasehold.jobs.TenantId;
import java.util.HashSet;
import java.util.Set;
import org.jooq.Configuration;
import org.jooq.ExecuteType;
import org.jooq.Name;
import org.jooq.Param;
import org.jooq.Query;
import org.jooq.QueryPart;
import org.jooq.Table;
import org.jooq.VisitContext;
import org.jooq.VisitListener;
import org.jooq.impl.DSL;
import org.jooq.impl.QOM;
import org.jooq.impl.SQLDataType;
import org.jooq.impl.TableImpl;
import org.jspecify.annotations.Nullable;

/**
 * Scopes every statement of a transaction while jOOQ writes it, part by part, wherever a table
 * occurs in it: joins, subqueries, common table expressions, unions.
 *
 * <p>Only statements written under this listener may be sent: {@link #takeApproved} is called
 * before each statement. Belongs to one transaction and its thread.
 */
public final class ScopeStatements implements VisitListener {

  private final TenantScope scope;
  private final DeclaredTables declared;
  private final AllowedParts allowed;
  private final ReferencedColumns columns;
  private final Set<String> written = new HashSet<>();
  private @Nullable UntouchedConfiguration own;
  private @Nullable String approved;
  private boolean moduleCode;

  ScopeStatements(TenantScope scope, DeclaredTables declared, AllowedParts allowed) {
    this.scope = scope;
    this.declared = declared;
    this.allowed = allowed;
    this.columns = new ReferencedColumns(declared.columns(), declared::columns);
  }

  /**
   * Accepts statements of this configuration in its current state, and of no other. It can be
   * called only once, because code that has the configuration also has this listener.
   */
  public void require(Configuration configuration) {
    if (own != null) {
      throw new IllegalStateException("the transaction has its configuration");
    }
    own = UntouchedConfiguration.of(configuration);
  }

  /**
   * Approves the statement that is about to be prepared, if it was just written under this
   * listener. All other written texts are discarded: a batch that is refused halfway leaves texts
   * to which other code could bind another tenant.
   */
  public void approve(@Nullable String sql) {
    approved = sql != null && written.contains(sql) ? sql : null;
    written.clear();
  }

  /** Returns whether a statement is the approved one. It returns true only once. */
  public boolean takeApproved(String sql) {
    var isApproved = sql.equals(approved);
    approved = null;
    return isApproved;
  }

  /**
   * Returns whether a written statement may run a module's own code in the database: a declared
   * function, one called by a view, or, for a write, one called by a trigger or a default. A
   * sequence counts as well, since the session remembers its last value.
   */
  public boolean mayRunModuleCode() {
    return moduleCode || allowed.haveCalledDeclared();
  }

  @Override
  public void visitStart(VisitContext visit) {
    OpaqueParts.requireJooqs(visit);
    var kind = allowed.require(visit);
    if (visit.renderContext() == null) {
      return; // Nothing is written here: values are collected, so that their owner can change them.
    }
    columns.visit(visit, kind);
    var part = visit.queryPart();
    switch (kind) {
      case INSERT -> {
        moduleCode = true;
        visit.queryPart(new ScopedInserts(scope(visit)).scope((QOM.Insert<?>) part));
      }
      case UPDATE -> {
        moduleCode = true;
        visit.queryPart(new ScopedWrites(scope(visit)).update((QOM.Update<?>) part));
      }
      case DELETE -> {
        moduleCode = true;
        visit.queryPart(new ScopedWrites(scope(visit)).delete((QOM.Delete<?>) part));
      }
      case SEQUENCE -> moduleCode = true;
      case TABLE -> table(visit, (TableImpl<?>) part);
      case TABLE_ALIAS, FUNCTION_ROWS, FUNCTION_TABLE -> functionRows(visit, (Table<?>) part);
      case VALUE -> requireReadable(visit, (Param<?>) part);
      default -> {}
    }
  }

  // A statement that is only rendered, and is not about to be executed, is not remembered: code
  // that has its text could bind another tenant to it.
  @Override
  public void visitEnd(VisitContext visit) {
    OpaqueParts.requireJooqs(visit);
    var render = visit.renderContext();
    if (visit.queryPartsLength() == 1
        && render != null
        && render.executeContext() != null
        && own != null
        && visit.queryPart() instanceof Query) {
      own.require(visit.configuration());
      columns.requireKnown(render);
      written.add(render.render());
    }
  }

  // In a batch, and for a statement that is only rendered, other code binds the values.
  private TenantScope scope(VisitContext visit) {
    var execution = visit.context().executeContext();
    return execution == null
            || execution.type() == ExecuteType.BATCH
            || UntouchedConfiguration.isCollecting(visit.configuration())
        ? scope.inline()
        : scope;
  }

  private boolean functionRows(VisitContext visit, Table<?> table) {
    var areFunctions = FunctionRows.areIn(visit, table);
    if (areFunctions) {
      visit.queryPart(FunctionRows.of(visit, table));
    }
    return areFunctions;
  }

  // The declared name is written, whatever name the found table returns later.
  private void table(VisitContext visit, TableImpl<?> table) {
    if (functionRows(visit, table) || OpaqueParts.isAlias(table)) {
      return;
    }
    var declaring = visit.context().declareTables();
    switch (declared.find(table)) {
      case null -> undeclared(visit, table, DeclaredTables.nameOf(table));
      case Declared(var known, var kind, var modulesView, _) when declaring -> {
        moduleCode |= modulesView;
        var isTarget = TablePosition.isTarget(visit);
        if (isTarget && kind == Kind.SHARED) {
          throw Refusal.statement("table %s is shared: tenants only read it".formatted(known));
        }
        visit.queryPart(isTarget || kind == Kind.SHARED ? known : readable(visit, table, known));
      }
      case Declared(var known, var kind, _, _) ->
          visit.queryPart(kind == Kind.SHARED ? known : known.unqualifiedName());
    }
  }

  private void undeclared(VisitContext visit, TableImpl<?> table, Name name) {
    var declaring = visit.context().declareTables();
    if (table.getTableType().isFunction() && declared.allowsFunction(name)) {
      moduleCode |= !DeclaredTables.isPlatforms(name);
      var arguments = OpaqueParts.parametersOf(table);
      visit.queryPart(
          declaring ? DSL.function(name, SQLDataType.RESULT, arguments) : name.unqualifiedName());
    } else if (name.qualified() || (declaring && !NamedExpressions.include(visit, table))) {
      throw Refusal.undeclared(name);
    }
  }

  private QueryPart readable(VisitContext visit, Table<?> table, Name name) {
    var within = scope(visit);
    var rows = LockedRows.include(visit) ? within.changes() : within.reads();
    return new ScopedRows(table, name, rows, visit.context().declareAliases());
  }

  /**
   * A statement that explicitly names an unreadable tenant is a mistake, so it must fail instead of
   * returning an empty result.
   */
  private void requireReadable(VisitContext visit, Param<?> value) {
    var tenant = OwnTenant.named(value);
    if (tenant.isPresent()
        && !scope.mayRead(tenant.get())
        && (value.getValue() instanceof TenantId || TablePosition.isComparedWithTenant(visit))) {
      throw Refusal.foreignTenant(tenant.get());
    }
  }
}
