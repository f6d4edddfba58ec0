package io.leasehold.db.scope;

import static io.leasehold.db.acme.Tables.CUSTOMER;

import io.leasehold.db.acme.Keys;
import io.leasehold.db.acme.tables.Orders;
import java.io.Serial;
import org.jooq.Path;
import org.jooq.Record;
import org.jooq.TableField;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jooq.impl.TableImpl;

/** The path from an order to its customer, as generated classes may have it. */
final class CustomerOf extends TableImpl<Record> implements Path<Record> {

  @Serial private static final long serialVersionUID = 1L;

  final TableField<Record, String> name = createField(DSL.name("name"), SQLDataType.CLOB, this, "");

  CustomerOf(Orders from) {
    super(from, Keys.ORDERS__ORDERS_OF_CUSTOMER, null, CUSTOMER);
  }
}
