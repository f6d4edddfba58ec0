package io.leasehold.jobs;

import java.util.Objects;
import java.util.UUID;

/**
 * Identifies a tenant: the customer whose rows a statement may see.
 *
 * @param value the id of the tenant, as in every {@code tenant_id} column
 */
public record TenantId(UUID value) {

  /** Rejects null: every row belongs to a tenant. */
  public TenantId {
    Objects.requireNonNull(value, "value");
  }

  /**
   * Parses an id in the usual form of 36 characters.
   *
   * @throws IllegalArgumentException if the text has another form
   */
  public static TenantId of(String value) {
    return new TenantId(UUID.fromString(value));
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
