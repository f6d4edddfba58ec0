package io.leasehold.db.scope;

import io.leasehold.db.acme.Acme;
import java.io.Serial;
import org.jooq.Record;
import org.jooq.Schema;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jooq.impl.TableImpl;

/** A table that is in the declared schema as often as it is told, and in another one after that. */
public final class LyingTable extends TableImpl<Record> {

  @Serial private static final long serialVersionUID = 1L;

  private final int truths;
  private int asked;

  public LyingTable(int truths) {
    super(DSL.name("orders"));
    this.truths = truths;
    createField(DSL.name("code"), SQLDataType.CLOB, this, "");
  }

  @Override
  public Schema getSchema() {
    return asked++ < truths ? Acme.ACME : DSL.schema(DSL.name("other"));
  }
}
