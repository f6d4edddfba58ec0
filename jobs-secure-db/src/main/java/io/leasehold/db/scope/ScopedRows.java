package io.leasehold.db.scope;

import org.jooq.Condition;
import org.jooq.Context;
import org.jooq.Keyword;
import org.jooq.Name;
import org.jooq.Table;
import org.jooq.impl.CustomQueryPart;
import org.jooq.impl.DSL;

/**
 * Stands in a FROM clause in the place of a table: those of its rows that the scope lets through,
 * under its name.
 *
 * <p>A derived table and no condition further out, so that it holds in outer joins too. PostgreSQL
 * flattens it. It is written word by word: half of what a scoped statement cost was jOOQ's model of
 * this one select.
 */
final class ScopedRows extends CustomQueryPart {

  private static final long serialVersionUID = 1L;

  private static final Keyword SELECT_ALL_FROM = DSL.keyword("select * from");
  private static final Keyword WHERE = DSL.keyword("where");
  private static final Keyword AS = DSL.keyword("as");

  private final transient Table<?> table;
  private final transient Name name;
  private final transient Condition rows;
  private final boolean named;

  /**
   * Stands in the place of a table.
   *
   * @param name the name to write
   * @param rows which of its rows
   * @param named whether the name is written here, or, for a table with an alias, around this
   */
  ScopedRows(Table<?> table, Name name, Condition rows, boolean named) {
    this.table = table;
    this.name = name;
    this.rows = rows;
    this.named = named;
  }

  @Override
  public void accept(Context<?> context) {
    if (!named) {
      writeRows(context);
      return;
    }
    // The marks are where joins of implicit paths are added to the table.
    context.scopeMarkStart(table);
    writeRows(context);
    context.sql(' ').visit(AS).sql(' ').visit(name.unqualifiedName());
    context.scopeMarkEnd(table);
  }

  private void writeRows(Context<?> context) {
    context.sql('(').visit(SELECT_ALL_FROM).sql(' ').visit(name).sql(' ');
    context.visit(WHERE).sql(' ').visit(rows).sql(')');
  }
}
