package io.leasehold.jobs;

import java.util.Objects;
import java.util.UUID;

/**
 * Names a tenant: the customer whose rows a statement may see.
 *
 * @param value the tenant's id, as in every {@code tenant_id} column
 */
public record TenantId(UUID value) {

  /** Refuses no value at all: every row belongs to some tenant. */
  public TenantId {
    Objects.requireNonNull(value, "value");
  }

  /**
   * Reads an id in its usual form of 36 characters.
   *
   * @throws IllegalArgumentException if it has another form
   */
  public static TenantId of(String value) {
    return new TenantId(UUID.fromString(value));
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
