package io.leasehold.rest.limit;

import io.leasehold.jobs.SecurityContext;
import io.leasehold.rest.problem.RequestRefusal;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.function.Supplier;

/**
 * Reads that may look at all of a tenant's jobs, each with a connection to the database meanwhile:
 * a tenant has two of them at a time, and leaves the other connections to the rest.
 */
@Singleton
public final class LongReads {

  private static final int PER_TENANT = 2;

  private final AnswerPlaces places = new AnswerPlaces(PER_TENANT, AnswerPlaces.WAIT_MOST);

  @Inject
  LongReads() {}

  /**
   * Reads, when the tenant has a place for it.
   *
   * @throws RequestRefusal if none becomes free in time
   */
  public <T> T read(SecurityContext caller, Supplier<T> read) throws InterruptedException {
    try (var _ = places.take(caller)) {
      return read.get();
    }
  }
}
