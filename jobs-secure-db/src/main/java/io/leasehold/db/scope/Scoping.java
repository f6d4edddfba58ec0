package io.leasehold.db.scope;

import io.leasehold.db.refuse.AllowedParts;
import io.leasehold.db.refuse.AllowedTypes;
import io.leasehold.jobs.SecurityContext;

/** Scopes the statements of all tenant transactions of a database. Safe to share. */
public final class Scoping {

  private final DeclaredTables declared;
  private final AllowedTypes types = new AllowedTypes();

  public Scoping(DeclaredTables declared) {
    this.declared = declared;
  }

  /** Returns the listener that scopes the statements of one transaction. */
  public ScopeStatements of(SecurityContext caller) {
    return new ScopeStatements(
        TenantScope.of(caller), declared, new AllowedParts(declared::allowsFunction, types));
  }
}
