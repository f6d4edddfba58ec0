package io.leasehold.db.scope;

import org.jooq.Record;
import org.jooq.Table;
import org.jooq.impl.TableImpl;

/** A table inside the scope that was put around it: written as it is. */
final class BareTable extends TableImpl<Record> {

  private static final long serialVersionUID = 1L;

  BareTable(Table<?> table) {
    super(table.getUnqualifiedName(), table.getSchema());
  }
}
