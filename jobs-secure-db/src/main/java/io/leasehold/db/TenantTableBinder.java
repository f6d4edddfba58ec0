package io.leasehold.db;

import com.google.inject.Binder;
import com.google.inject.multibindings.Multibinder;
import org.jooq.Name;
import org.jooq.Table;

/**
 * Declares what a module uses in tenant transactions. A module calls it in its Guice module:
 *
 * {@snippet :
 * tenantTables(binder()).scoped(ORDERS).scoped(CUSTOMER).shared(COUNTRY);
 * }
 *
 * <p>Anything undeclared is refused. Repeated declarations have no further effect.
 */
public final class TenantTableBinder {

  private final Multibinder<TableDeclaration> declarations;

  private TenantTableBinder(Multibinder<TableDeclaration> declarations) {
    this.declarations = declarations;
  }

  /** Starts the declarations of a module; several modules may declare the same table. */
  public static TenantTableBinder tenantTables(Binder binder) {
    return new TenantTableBinder(
        Multibinder.newSetBinder(binder, TableDeclaration.class).permitDuplicates());
  }

  /** Declares a generated table or view with a {@code tenant_id}: statements on it are scoped. */
  public TenantTableBinder scoped(Table<?> table) {
    return add(new TableDeclaration.Scoped(table));
  }

  /** Declares a generated table without tenants: it can be read unchanged, and not written. */
  public TenantTableBinder shared(Table<?> table) {
    return add(new TableDeclaration.Shared(table));
  }

  /**
   * Declares a function that statements call: with its schema, or by its name alone if it is
   * PostgreSQL's own. PostgreSQL's common functions that compute from their arguments alone need no
   * declaration.
   */
  public TenantTableBinder function(Name function) {
    return add(new TableDeclaration.Callable(function));
  }

  /**
   * Declares a setting of the module's own, such as {@code acme.region}. {@link
   * ScopedTransaction#localSetting} sets it for one transaction, and triggers, views and functions
   * of the module read it with {@code current_setting('acme.region', true)}.
   *
   * @param name two words of {@code a-z 0-9 _} with a dot between them
   * @throws IllegalArgumentException if the name has another form, or is the platform's or the
   *     server's own
   */
  public TenantTableBinder setting(String name) {
    return add(new TableDeclaration.Setting(name));
  }

  private TenantTableBinder add(TableDeclaration declaration) {
    declarations.addBinding().toInstance(declaration);
    return this;
  }
}
