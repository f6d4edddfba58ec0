package io.leasehold.rest.limit;

import io.leasehold.jobs.SecurityContext;
import io.leasehold.rest.problem.RequestRefusal;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.function.Supplier;

/**
 * Limits reads that may scan all of a tenant's jobs, each holding a database connection meanwhile.
 * A tenant has two such reads at a time, which leaves the other connections to other requests.
 */
@Singleton
public final class LongReads {

  private static final int PER_TENANT = 2;

  private final AnswerPlaces places = new AnswerPlaces(PER_TENANT, AnswerPlaces.WAIT_MOST);

  @Inject
  LongReads() {}

  /**
   * Runs a read once the tenant has a free place.
   *
   * @throws RequestRefusal if none becomes free in time
   */
  public <T> T read(SecurityContext caller, Supplier<T> read) throws InterruptedException {
    try (var _ = places.take(caller)) {
      return read.get();
    }
  }
}
