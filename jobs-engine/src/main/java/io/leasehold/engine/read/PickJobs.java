package io.leasehold.engine.read;

import static io.leasehold.db.schema.Tables.NEWEST_JOBS;

import io.leasehold.db.schema.tables.NewestJobs;
import io.leasehold.jobs.HandlerId;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import java.util.Comparator;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The part of a statement that picks the jobs of a page: by an index that has them in the order of
 * their ids, so that no more of them are read than the page takes. Which index, the function
 * decides, and reads the transaction's readable tenants only.
 */
final class PickJobs {

  private static final UUID FIRST = new UUID(0, 0);
  private static final UUID BEYOND = new UUID(-1, -1);

  /** As the database sorts them. */
  private static final Comparator<UUID> UNSIGNED =
      Comparator.comparing(UUID::getMostSignificantBits, Long::compareUnsigned)
          .thenComparing(UUID::getLeastSignificantBits, Long::compareUnsigned);

  private PickJobs() {}

  /** The newest that the filter lets pass, with their tenants. */
  static NewestJobs newest(JobFilter filter, int most) {
    return NEWEST_JOBS.call(
        filter.status().map(JobStatus::word).orElse(null),
        filter.handler().map(HandlerId::value).orElse(null),
        filter.queue().orElse(null),
        filter.correlationId().orElse(null),
        filter.createdAfter().map(FirstId::at).map(JobId::value).orElse(FIRST),
        beyond(filter),
        most);
  }

  private static UUID beyond(JobFilter filter) {
    return Stream.concat(filter.after().stream(), filter.createdBefore().map(FirstId::at).stream())
        .map(JobId::value)
        .min(UNSIGNED)
        .orElse(BEYOND);
  }
}
