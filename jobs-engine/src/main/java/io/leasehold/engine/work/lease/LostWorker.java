package io.leasehold.engine.work.lease;

import static io.leasehold.db.schema.Tables.WORKER;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.concat;
import static org.jooq.impl.DSL.inline;

import org.jooq.Field;
import org.jooq.impl.SQLDataType;

/**
 * What a job's history reports about an attempt whose worker was lost, and how many are allowed.
 */
public final class LostWorker {

  /**
   * How many attempts beyond its maximum a job may lose before it fails, whatever its handler
   * declares.
   */
  public static final short BEYOND_MAX = 9;

  private LostWorker() {}

  /**
   * Returns the error of such an attempt. It contains the worker's name and not the worker's id,
   * because the id would allow a reader to end a job.
   */
  public static Field<String> error(Field<Short> attempt) {
    return concat(
        inline("the worker"),
        coalesce(concat(inline(" "), WORKER.NAME), inline(", no longer registered,")),
        inline(" was lost during attempt "),
        attempt.cast(SQLDataType.CLOB));
  }
}
