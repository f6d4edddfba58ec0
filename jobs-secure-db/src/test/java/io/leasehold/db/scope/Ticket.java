package io.leasehold.db.scope;

import io.leasehold.db.acme.Acme;
import java.io.Serial;
import java.util.List;
import java.util.UUID;
import org.jooq.Schema;
import org.jooq.TableField;
import org.jooq.UniqueKey;
import org.jooq.impl.DSL;
import org.jooq.impl.Internal;
import org.jooq.impl.SQLDataType;
import org.jooq.impl.TableImpl;
import org.jooq.impl.UpdatableRecordImpl;

/** A table whose key lacks the tenant, as none should be, with records. */
final class Ticket extends TableImpl<Ticket.Row> {

  @Serial private static final long serialVersionUID = 1L;

  static final Ticket TICKET = new Ticket();

  final TableField<Row, UUID> tenantId =
      createField(DSL.name("tenant_id"), SQLDataType.UUID.nullable(false), this, "");
  final TableField<Row, Integer> number =
      createField(DSL.name("number"), SQLDataType.INTEGER.nullable(false), this, "");
  final TableField<Row, String> title = createField(DSL.name("title"), SQLDataType.CLOB, this, "");

  private Ticket() {
    super(DSL.name("ticket"));
  }

  @Override
  public Schema getSchema() {
    return Acme.ACME;
  }

  @Override
  public Class<Row> getRecordType() {
    return Row.class;
  }

  @Override
  public UniqueKey<Row> getPrimaryKey() {
    return Internal.createUniqueKey(this, DSL.name("ticket_pkey"), number);
  }

  @Override
  public List<UniqueKey<Row>> getUniqueKeys() {
    return List.of();
  }

  /** A row of it. */
  static final class Row extends UpdatableRecordImpl<Row> {

    @Serial private static final long serialVersionUID = 1L;

    Row() {
      super(TICKET);
    }
  }
}
