package io.leasehold.db.scope;

import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.TableImpl;

/**
 * The classes that write a statement themselves.
 *
 * <p>What the fluent API returns wraps one of these, and shows the same model: scoping both would
 * scope twice. The classes are jOOQ's own, so they are taken from specimens.
 */
final class DirectDml {

  static final Class<?> INSERT = DSL.using(SQLDialect.POSTGRES).insertQuery(specimen()).getClass();
  static final Class<?> UPDATE = DSL.using(SQLDialect.POSTGRES).updateQuery(specimen()).getClass();
  static final Class<?> DELETE = DSL.using(SQLDialect.POSTGRES).deleteQuery(specimen()).getClass();

  private DirectDml() {}

  private static TableImpl<?> specimen() {
    return new TableImpl<>(DSL.name("specimen"));
  }
}
