package io.leasehold.db.scope;

import org.jooq.Context;
import org.jooq.Keyword;
import org.jooq.Select;
import org.jooq.Table;
import org.jooq.impl.CustomQueryPart;
import org.jooq.impl.DSL;

/**
 * Stands in a FROM clause in the place of a table: its readable rows, under its name.
 *
 * <p>A derived table and no condition further out, so that it holds in outer joins too. PostgreSQL
 * flattens it.
 */
final class ScopedRows extends CustomQueryPart {

  private static final long serialVersionUID = 1L;
  private static final Keyword AS = DSL.keyword("as");

  private final transient Table<?> table;
  private final transient Select<?> readable;
  private final boolean named;

  /**
   * Stands in the place of a table.
   *
   * @param named whether the name is written here, or, for a table with an alias, around this
   */
  ScopedRows(Table<?> table, Select<?> readable, boolean named) {
    this.table = table;
    this.readable = readable;
    this.named = named;
  }

  @Override
  public void accept(Context<?> context) {
    if (!named) {
      context.visitSubquery(readable);
      return;
    }
    // The marks are where joins of implicit paths are added to the table.
    context.scopeMarkStart(table);
    context.visitSubquery(readable);
    context.sql(' ').visit(AS).sql(' ').visit(table.getUnqualifiedName());
    context.scopeMarkEnd(table);
  }
}
