package io.leasehold.db.scope;

import io.leasehold.db.refuse.AllowedParts;
import io.leasehold.db.refuse.OpaqueParts;
import io.leasehold.db.refuse.Refusal;
import io.leasehold.db.refuse.UntouchedConfiguration;
import io.leasehold.jobs.TenantId;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.jooq.DMLQuery;
import org.jooq.ExecuteType;
import org.jooq.Param;
import org.jooq.Query;
import org.jooq.QueryPart;
import org.jooq.Sequence;
import org.jooq.Table;
import org.jooq.VisitContext;
import org.jooq.VisitListener;
import org.jooq.impl.QOM;
import org.jooq.impl.TableImpl;
import org.jspecify.annotations.Nullable;

/**
 * Scopes every statement of a transaction while jOOQ writes it, part by part, wherever in it a
 * table stands: joins, subqueries, common table expressions, unions.
 *
 * <p>Only what was written under this watch may be sent: {@link #takeApproved} is asked before each
 * statement. Belongs to one transaction and its thread.
 */
public final class ScopeStatements implements VisitListener {

  // Takes the statements of a batch of records and sends them later.
  private static final String COLLECTOR = "org.jooq.impl.BatchCRUD$QueryCollector";

  private final TenantScope scope;
  private final DeclaredTables declared;
  private final AllowedParts allowed;
  private final Set<String> written = new HashSet<>();
  private @Nullable String approved;
  private boolean moduleCode;

  ScopeStatements(TenantScope scope, DeclaredTables declared, AllowedParts allowed) {
    this.scope = scope;
    this.declared = declared;
    this.allowed = allowed;
  }

  /**
   * Approves the statement that is about to be prepared, if it was written under this watch just
   * before. Whatever else was written is given up: a batch that was refused half-way leaves texts
   * behind, to which anybody could bind another tenant.
   */
  public void approve(@Nullable String sql) {
    approved = sql != null && written.contains(sql) ? sql : null;
    written.clear();
  }

  /** Whether a statement is the approved one, which it is once. */
  public boolean takeApproved(String sql) {
    var isApproved = sql.equals(approved);
    approved = null;
    return isApproved;
  }

  /**
   * Whether a statement was written that runs a module's own code in the database: a declared
   * function, one that a view calls, or, at a write, one of a trigger or a default. A sequence
   * counts as well: the session remembers its last value.
   */
  public boolean mayRunModuleCode() {
    return moduleCode || allowed.haveCalledDeclared();
  }

  @Override
  public void visitStart(VisitContext visit) {
    var part = visit.queryPart();
    if (part instanceof ScopedRows) {
      return; // Our own, put in the place of a table that was looked at.
    }
    allowed.require(visit);
    moduleCode |= part instanceof DMLQuery<?> || part instanceof Sequence<?>;
    if (visit.renderContext() == null) {
      return; // Nothing is written: values are collected, for their owner to change them.
    }
    switch (part) {
      case QOM.Insert<?> insert when part.getClass() == DirectDml.INSERT ->
          visit.queryPart(new ScopedInserts(scope(visit)).scope(insert));
      case QOM.Update<?> update when part.getClass() == DirectDml.UPDATE ->
          visit.queryPart(new ScopedWrites(scope(visit)).update(update));
      case QOM.Delete<?> delete when part.getClass() == DirectDml.DELETE ->
          visit.queryPart(new ScopedWrites(scope(visit)).delete(delete));
      case TableImpl<?> table -> table(visit, table);
      case Param<?> value -> requireReadable(visit, value);
      default -> {}
    }
  }

  // A statement that is only shown, and not about to be executed, is not remembered: who has its
  // text could bind another tenant to it.
  @Override
  public void visitEnd(VisitContext visit) {
    var render = visit.renderContext();
    if (visit.queryPartsLength() == 1
        && render != null
        && render.executeContext() != null
        && visit.queryPart() instanceof Query) {
      UntouchedConfiguration.require(visit.configuration(), this);
      written.add(render.render());
    }
  }

  // In a batch, and where a statement is only shown, it is others who bind the values.
  private TenantScope scope(VisitContext visit) {
    var execution = visit.context().executeContext();
    return execution == null || execution.type() == ExecuteType.BATCH || isCollected(visit)
        ? scope.inline()
        : scope;
  }

  private static boolean isCollected(VisitContext visit) {
    return Stream.of(visit.configuration().executeListenerProviders())
        .anyMatch(provider -> provider.provide().getClass().getName().equals(COLLECTOR));
  }

  private void table(VisitContext visit, TableImpl<?> table) {
    if (OpaqueParts.isAlias(table)) {
      return;
    }
    var declaring = visit.context().declareTables();
    switch (declared.kind(table).orElse(null)) {
      case null -> {
        if (declared.isFunction(table)) {
          moduleCode |= !DeclaredTables.isPlatforms(table);
        } else if (table.getSchema() != null
            || (declaring && !NamedExpressions.include(visit, table))) {
          throw Refusal.undeclared(DeclaredTables.nameOf(table));
        }
      }
      case SHARED -> {
        moduleCode |= declared.isModulesView(table);
        if (declaring && TablePosition.isTarget(visit)) {
          throw Refusal.statement("table %s is shared: tenants only read it".formatted(table));
        }
      }
      case SCOPED -> {
        moduleCode |= declared.isModulesView(table);
        if (!declaring) {
          visit.queryPart(table.getUnqualifiedName());
        } else if (!TablePosition.isTarget(visit)) {
          visit.queryPart(readable(visit, table));
        }
      }
    }
  }

  private QueryPart readable(VisitContext visit, Table<?> table) {
    var within = scope(visit);
    var rows = LockedRows.include(visit) ? within.changes() : within.reads();
    return new ScopedRows(table, rows, visit.context().declareAliases());
  }

  /** A tenant that is named as such and may not be read is a mistake, and not an empty result. */
  private void requireReadable(VisitContext visit, Param<?> value) {
    var tenant = OwnTenant.named(value);
    if (tenant.isPresent()
        && !scope.mayRead(tenant.get())
        && (value.getValue() instanceof TenantId || TablePosition.isComparedWithTenant(visit))) {
      throw Refusal.foreignTenant(tenant.get());
    }
  }
}
