package io.leasehold.engine.service.query;

import io.leasehold.engine.kernel.IdOrder;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobId;
import java.util.UUID;
import java.util.stream.Stream;

/** The bounds between which the ids of a filter's jobs lie. */
public final class IdBounds {

  private static final UUID FIRST = new UUID(0, 0);
  private static final UUID BEYOND = new UUID(-1, -1);

  private IdBounds() {}

  /** Returns the lowest id. */
  public static UUID first(JobFilter filter) {
    return filter.createdAfter().map(FirstId::at).map(JobId::value).orElse(FIRST);
  }

  /** Returns the exclusive upper bound. */
  public static UUID beyond(JobFilter filter) {
    return Stream.concat(filter.after().stream(), filter.createdBefore().map(FirstId::at).stream())
        .map(JobId::value)
        .min(IdOrder.UNSIGNED)
        .orElse(BEYOND);
  }
}
