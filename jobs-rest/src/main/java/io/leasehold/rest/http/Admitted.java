package io.leasehold.rest.http;

import io.leasehold.rest.auth.Authenticated;
import io.leasehold.rest.limit.Place;

/**
 * A caller who was let in.
 *
 * @param who it is
 * @param place what its answer takes of the tenant's share
 */
public record Admitted(Authenticated who, Place place) implements AutoCloseable {

  /** Takes nothing of the share any more. Repeated, it does nothing. */
  @Override
  public void close() {
    place.close();
  }
}
