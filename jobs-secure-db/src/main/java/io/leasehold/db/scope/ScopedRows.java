package io.leasehold.db.scope;

import org.jooq.Condition;
import org.jooq.Context;
import org.jooq.Keyword;
import org.jooq.Name;
import org.jooq.Table;
import org.jooq.impl.CustomQueryPart;
import org.jooq.impl.DSL;

/**
 * Replaces a table in a FROM clause with the rows of it that the scope allows, under the table's
 * name.
 *
 * <p>This is a derived table instead of a condition further out, so that it is correct in outer
 * joins too. PostgreSQL flattens it. It is rendered word by word, because jOOQ's model of this one
 * select was half the cost of a scoped statement.
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
   * Creates the replacement of a table.
   *
   * @param name the name to write
   * @param rows the condition for its rows
   * @param named whether the name is written here, or, for a table with an alias, by the alias
   *     around it
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
    // Between these marks, jOOQ adds the joins of implicit paths to the table.
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
