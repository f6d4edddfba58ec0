package io.leasehold.engine;

import static org.jooq.impl.DSL.name;

import io.leasehold.db.ScopedTransaction;
import java.util.UUID;
import org.jooq.Record;
import org.jooq.Schema;
import org.jooq.TableField;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jooq.impl.TableImpl;

/** A module's own table: each row is one effect of a test case. */
final class Entry extends TableImpl<Record> {

  static final Entry ENTRY = new Entry();

  private static final long serialVersionUID = 1L;

  final TableField<Record, UUID> tenant = createField(name("tenant_id"), SQLDataType.UUID, this);
  private final TableField<Record, String> label =
      createField(name("name"), SQLDataType.CLOB, this);
  private final TableField<Record, UUID> former =
      createField(name("former"), SQLDataType.UUID, this);

  private Entry() {
    super(name("entry"), DSL.schema(name("ledger")));
  }

  @Override
  public Schema getSchema() {
    return DSL.schema(name("ledger"));
  }

  /** Inserts an entry. */
  void insert(ScopedTransaction tx, String text) {
    tx.insert(this).set(label, text).execute();
  }

  /** Inserts an entry that the database refuses when the transaction commits. */
  void insertWhatCannotCommit(ScopedTransaction tx, String text) {
    tx.insert(this).set(label, text).set(former, UUID.randomUUID()).execute();
  }
}
