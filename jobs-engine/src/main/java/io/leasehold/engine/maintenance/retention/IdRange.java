package io.leasehold.engine.maintenance.retention;

import io.leasehold.jobs.JobId;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.UUID;
import org.jooq.Condition;
import org.jooq.Field;

/**
 * A range of job ids, which follow the jobs' creation times.
 *
 * @param first the lowest id, inclusive
 * @param beyond the upper bound, exclusive
 */
public record IdRange(JobId first, JobId beyond) {

  public static final IdRange ALL =
      new IdRange(new JobId(new UUID(0, 0)), new JobId(new UUID(-1, -1)));

  /** Returns the range of jobs created on these days, in UTC; {@code beyond} is exclusive. */
  static IdRange ofDays(LocalDate first, LocalDate beyond) {
    return new IdRange(firstIdOf(first), firstIdOf(beyond));
  }

  // The same computation as leasehold.first_id_of.
  private static JobId firstIdOf(LocalDate day) {
    var millis = day.atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
    return new JobId(new UUID(millis << 16 | 0x7000, Long.MIN_VALUE));
  }

  Condition contains(Field<JobId> id) {
    return id.ge(first).and(id.lt(beyond));
  }
}
