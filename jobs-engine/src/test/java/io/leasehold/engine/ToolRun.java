package io.leasehold.engine;

import static org.jooq.impl.DSL.name;

import java.time.OffsetDateTime;
import java.util.UUID;
import org.jooq.Record;
import org.jooq.Schema;
import org.jooq.TableField;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jooq.impl.TableImpl;

/** A module's own record of a tool's run. */
final class ToolRun extends TableImpl<Record> {

  static final ToolRun TOOL_RUN = new ToolRun();

  private static final long serialVersionUID = 1L;

  final TableField<Record, UUID> tenant = createField(name("tenant_id"), SQLDataType.UUID, this);
  final TableField<Record, UUID> id = createField(name("id"), SQLDataType.UUID, this);
  final TableField<Record, String> tool = createField(name("tool"), SQLDataType.CLOB, this);
  final TableField<Record, String> status = createField(name("status"), SQLDataType.CLOB, this);
  final TableField<Record, OffsetDateTime> startedAt =
      createField(name("started_at"), SQLDataType.TIMESTAMPWITHTIMEZONE, this);
  final TableField<Record, OffsetDateTime> finishedAt =
      createField(name("finished_at"), SQLDataType.TIMESTAMPWITHTIMEZONE, this);
  final TableField<Record, String> error = createField(name("error"), SQLDataType.CLOB, this);

  private ToolRun() {
    super(name("tool_run"), DSL.schema(name("acme")));
  }

  @Override
  public Schema getSchema() {
    return DSL.schema(name("acme"));
  }
}
