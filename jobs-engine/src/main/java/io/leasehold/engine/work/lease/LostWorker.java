package io.leasehold.engine.work.lease;

import static io.leasehold.db.schema.Tables.WORKER;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.concat;
import static org.jooq.impl.DSL.inline;

import org.jooq.Field;
import org.jooq.impl.SQLDataType;

/** What a job's history says about an attempt whose worker was lost, and how often that may be. */
public final class LostWorker {

  /**
   * How many attempts beyond its last a job may lose before it fails, whatever its handler says.
   */
  public static final short BEYOND_MAX = 9;

  private LostWorker() {}

  /**
   * The error of an attempt. It names the worker and not the worker's id: whoever reads that could
   * end a job.
   */
  public static Field<String> error(Field<Short> attempt) {
    return concat(
        inline("the worker "),
        coalesce(WORKER.NAME, inline("that nobody remembers")),
        inline(" was lost during attempt "),
        attempt.cast(SQLDataType.CLOB));
  }
}
