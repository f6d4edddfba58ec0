package io.leasehold.bench.load;

import static org.jooq.impl.DSL.name;

import java.util.UUID;
import org.jooq.Record;
import org.jooq.Schema;
import org.jooq.TableField;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jooq.impl.TableImpl;

/** Documents of many tenants, stored twice: protected and plain. */
final class Documents extends TableImpl<Record> {

  static final int TENANTS = 100;
  static final int PER_TENANT = 1_000;

  /** The table of a service with tenants: the column that names the owner is {@code tenant_id}. */
  static final Documents PROTECTED = new Documents("document", "tenant_id");

  /** The table of a program without tenants. */
  static final Documents PLAIN = new Documents("plain_document", "owner");

  private static final long serialVersionUID = 1L;

  final TableField<Record, UUID> owner;
  final TableField<Record, Integer> id = createField(name("id"), SQLDataType.INTEGER, this);
  final TableField<Record, String> title = createField(name("title"), SQLDataType.CLOB, this);

  private Documents(String table, String owner) {
    super(name(table), DSL.schema(name("bench")));
    this.owner = createField(name(owner), SQLDataType.UUID, this);
  }

  @Override
  public Schema getSchema() {
    return DSL.schema(name("bench"));
  }
}
