package io.leasehold.rest.http;

import io.leasehold.rest.auth.Authenticated;
import io.leasehold.rest.limit.Place;

/**
 * An admitted caller.
 *
 * @param who the authenticated caller
 * @param place the place that the response takes of the tenant's limit
 */
public record Admitted(Authenticated who, Place place) implements AutoCloseable {

  /** Releases the place. Repeated, it does nothing. */
  @Override
  public void close() {
    place.close();
  }
}
