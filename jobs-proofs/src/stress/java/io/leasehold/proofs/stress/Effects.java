package io.leasehold.proofs.stress;

import static org.jooq.impl.DSL.name;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.JobContext;
import java.util.UUID;
import org.jooq.Record;
import org.jooq.Schema;
import org.jooq.TableField;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jooq.impl.TableImpl;

/** What handlers leave behind. */
final class Effects extends TableImpl<Record> {

  static final Effects EFFECTS = new Effects();

  private static final long serialVersionUID = 1L;

  final TableField<Record, UUID> tenant = createField(name("tenant_id"), SQLDataType.UUID, this);
  private final TableField<Record, UUID> job = createField(name("job_id"), SQLDataType.UUID, this);
  private final TableField<Record, Long> token =
      createField(name("token"), SQLDataType.BIGINT, this);
  private final TableField<Record, String> kind = createField(name("kind"), SQLDataType.CLOB, this);

  private Effects() {
    super(name("effect"), DSL.schema(name("stress")));
  }

  @Override
  public Schema getSchema() {
    return DSL.schema(name("stress"));
  }

  /** Leaves one behind for a job. */
  void leave(ScopedTransaction tx, JobContext context, String effect) {
    tx.insert(this)
        .set(job, context.id().value())
        .set(token, context.fenceToken())
        .set(kind, effect)
        .execute();
  }
}
