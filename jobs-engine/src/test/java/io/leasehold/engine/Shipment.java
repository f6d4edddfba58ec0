package io.leasehold.engine;

import static org.jooq.impl.DSL.name;

import io.leasehold.db.ScopedTransaction;
import java.util.List;
import java.util.UUID;
import org.jooq.Record;
import org.jooq.Schema;
import org.jooq.TableField;
import org.jooq.TableOptions;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jooq.impl.TableImpl;

/** A module's own table and a view of it, whose trigger and condition read {@code acme.region}. */
final class Shipment extends TableImpl<Record> {

  static final Shipment SHIPMENT = new Shipment("shipment", TableOptions.table());
  static final Shipment SHIPMENT_V = new Shipment("shipment_v", TableOptions.view());

  private static final long serialVersionUID = 1L;

  final TableField<Record, UUID> tenant = createField(name("tenant_id"), SQLDataType.UUID, this);
  private final TableField<Record, String> label =
      createField(name("label"), SQLDataType.CLOB, this);

  private Shipment(String name, TableOptions options) {
    super(name(name), DSL.schema(name("acme")), null, null, DSL.comment(""), options);
  }

  @Override
  public Schema getSchema() {
    return DSL.schema(name("acme"));
  }

  /** Inserts a shipment, into the region of the transaction. */
  static int insert(ScopedTransaction tx, String text) {
    return tx.insert(SHIPMENT).set(SHIPMENT.label, text).execute();
  }

  /** The labels of the shipments in the region of the transaction. */
  static List<String> labels(ScopedTransaction tx) {
    return tx.selectFrom(SHIPMENT_V).orderBy(SHIPMENT_V.label).fetch(SHIPMENT_V.label);
  }
}
