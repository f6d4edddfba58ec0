package io.leasehold.db.scope;

import static org.jooq.impl.DSL.asterisk;
import static org.jooq.impl.DSL.select;

import io.leasehold.jobs.TenantId;
import java.util.HashSet;
import java.util.Set;
import org.jooq.Param;
import org.jooq.Query;
import org.jooq.QueryPart;
import org.jooq.Table;
import org.jooq.VisitContext;
import org.jooq.VisitListener;
import org.jooq.impl.QOM;
import org.jooq.impl.TableImpl;

/**
 * Scopes every statement of a transaction while jOOQ writes it, part by part, wherever in it a
 * table stands: joins, subqueries, common table expressions, unions.
 *
 * <p>Only what was written under this watch may be sent: {@link #takeApproved} is asked before each
 * statement. Belongs to one transaction and its thread.
 */
public final class ScopeStatements implements VisitListener {

  private final TenantScope scope;
  private final DeclaredTables declared;
  private final AllowedParts allowed;
  private final ScopedInserts inserts;
  private final ScopedWrites writes;
  private final Set<String> approved = new HashSet<>();

  public ScopeStatements(TenantScope scope, DeclaredTables declared) {
    this.scope = scope;
    this.declared = declared;
    this.allowed = new AllowedParts(declared);
    this.inserts = new ScopedInserts(scope);
    this.writes = new ScopedWrites(scope);
  }

  /** Whether a statement was scoped by this listener and not sent since. */
  public boolean takeApproved(String sql) {
    return approved.remove(sql);
  }

  @Override
  public void visitStart(VisitContext visit) {
    var part = visit.queryPart();
    allowed.require(part);
    switch (part) {
      case QOM.Insert<?> insert when part.getClass() == DirectDml.INSERT ->
          visit.queryPart(inserts.scope(insert));
      case QOM.Update<?> update when part.getClass() == DirectDml.UPDATE ->
          visit.queryPart(writes.update(update));
      case QOM.Delete<?> delete when part.getClass() == DirectDml.DELETE ->
          visit.queryPart(writes.delete(delete));
      case TableImpl<?> table -> table(visit, table);
      case Param<?> value -> requireReadable(visit, value);
      default -> {}
    }
  }

  @Override
  public void visitEnd(VisitContext visit) {
    var render = visit.renderContext();
    if (visit.queryPartsLength() == 1 && render != null && visit.queryPart() instanceof Query) {
      approved.add(render.render());
    }
  }

  private void table(VisitContext visit, TableImpl<?> table) {
    if (table instanceof BareTable || isAlias(table)) {
      return;
    }
    var declaring = visit.context().declareTables();
    if (declaring && TablePosition.isRecursion(visit, table)) {
      return;
    }
    switch (declared.kind(table).orElse(null)) {
      case null -> {
        if (declaring) {
          throw Refusal.undeclared(DeclaredTables.nameOf(table));
        }
      }
      case SHARED -> {
        if (declaring && TablePosition.isTarget(visit)) {
          throw Refusal.statement("table %s is shared: tenants only read it".formatted(table));
        }
      }
      case SCOPED -> {
        if (!declaring) {
          visit.queryPart(table.getUnqualifiedName());
        } else if (!TablePosition.isTarget(visit)) {
          visit.queryPart(readable(table, visit.context().declareAliases()));
        }
      }
    }
  }

  // A generated class without a schema is an alias, or the step of an implicit path: what it
  // stands for is visited inside it.
  private static boolean isAlias(TableImpl<?> table) {
    return table.getClass() != TableImpl.class && table.getSchema() == null;
  }

  private QueryPart readable(Table<?> table, boolean named) {
    var readable = select(asterisk()).from(new BareTable(table)).where(scope.reads());
    return new ScopedRows(table, readable, named);
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
