package io.leasehold.db.schema;

import io.leasehold.jobs.TenantId;
import java.util.UUID;
import org.jooq.impl.AbstractConverter;
import org.jspecify.annotations.Nullable;

/**
 * Converts {@code tenant_id} columns to {@link TenantId}, which differs from the types of other
 * ids.
 */
public final class TenantIdConverter extends AbstractConverter<UUID, TenantId> {

  private static final long serialVersionUID = 1;

  /** Called by the generated tables. */
  public TenantIdConverter() {
    super(UUID.class, TenantId.class);
  }

  @Override
  public @Nullable TenantId from(@Nullable UUID value) {
    return value == null ? null : new TenantId(value);
  }

  @Override
  public @Nullable UUID to(@Nullable TenantId tenant) {
    return tenant == null ? null : tenant.value();
  }
}
