package io.leasehold.rest.demo;

import static org.jooq.impl.DSL.name;

import java.util.UUID;
import org.jooq.Record;
import org.jooq.Schema;
import org.jooq.TableField;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jooq.impl.TableImpl;

/** The bookings of all tenants. A real service would generate this class. */
final class Booking extends TableImpl<Record> {

  static final String SCHEMA = "leasehold_demo";

  static final Booking BOOKING = new Booking();

  private static final long serialVersionUID = 1L;

  final TableField<Record, UUID> tenantId = createField(name("tenant_id"), SQLDataType.UUID, this);
  final TableField<Record, UUID> jobId = createField(name("job_id"), SQLDataType.UUID, this);
  final TableField<Record, String> customer = createField(name("customer"), SQLDataType.CLOB, this);
  final TableField<Record, Integer> amount = createField(name("amount"), SQLDataType.INTEGER, this);

  private Booking() {
    super(name("booking"), DSL.schema(name(SCHEMA)));
  }

  @Override
  public Schema getSchema() {
    return DSL.schema(name(SCHEMA));
  }
}
