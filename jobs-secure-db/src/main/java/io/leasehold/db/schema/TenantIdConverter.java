package io.leasehold.db.schema;

import io.leasehold.jobs.TenantId;
import java.util.UUID;
import org.jooq.impl.AbstractConverter;
import org.jspecify.annotations.Nullable;

/** Turns {@code tenant_id} columns into {@link TenantId}, which is no other id's type. */
public final class TenantIdConverter extends AbstractConverter<UUID, TenantId> {

  private static final long serialVersionUID = 1;

  /** Made by the generated tables. */
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
