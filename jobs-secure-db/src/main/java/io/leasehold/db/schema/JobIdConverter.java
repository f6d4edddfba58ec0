package io.leasehold.db.schema;

import io.leasehold.jobs.JobId;
import java.util.UUID;
import org.jooq.impl.AbstractConverter;
import org.jspecify.annotations.Nullable;

/** Turns {@code job_id} columns into {@link JobId}, which is no other id's type. */
public final class JobIdConverter extends AbstractConverter<UUID, JobId> {

  private static final long serialVersionUID = 1;

  /** Made by the generated tables. */
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
