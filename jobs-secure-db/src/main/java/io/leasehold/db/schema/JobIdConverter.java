package io.leasehold.db.schema;

import io.leasehold.jobs.JobId;
import java.util.UUID;
import org.jooq.impl.AbstractConverter;
import org.jspecify.annotations.Nullable;

/** Converts {@code job_id} columns to {@link JobId}, which differs from the types of other ids. */
public final class JobIdConverter extends AbstractConverter<UUID, JobId> {

  private static final long serialVersionUID = 1;

  /** Called by the generated tables. */
  public JobIdConverter() {
    super(UUID.class, JobId.class);
  }

  @Override
  public @Nullable JobId from(@Nullable UUID value) {
    return value == null ? null : new JobId(value);
  }

  @Override
  public @Nullable UUID to(@Nullable JobId job) {
    return job == null ? null : job.value();
  }
}
