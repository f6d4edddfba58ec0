package io.leasehold.engine.maintenance.retention;

import io.leasehold.jobs.JobId;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.UUID;
import org.jooq.Condition;
import org.jooq.Field;

/**
 * Jobs that were made one after the other, by their ids.
 *
 * @param first the lowest id
 * @param beyond the lowest that is no longer meant
 */
public record IdRange(JobId first, JobId beyond) {

  public static final IdRange ALL =
      new IdRange(new JobId(new UUID(0, 0)), new JobId(new UUID(-1, -1)));

  /** The jobs of some days, in UTC. */
  static IdRange ofDays(LocalDate first, LocalDate beyond) {
    return new IdRange(firstIdOf(first), firstIdOf(beyond));
  }

  // As leasehold.first_id_of has it.
  private static JobId firstIdOf(LocalDate day) {
    var millis = day.atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
    return new JobId(new UUID(millis << 16 | 0x7000, Long.MIN_VALUE));
  }

  Condition contains(Field<JobId> id) {
    return id.ge(first).and(id.lt(beyond));
  }
}
