package io.leasehold.db.scope;

import io.leasehold.db.refuse.Refusal;
import io.leasehold.jobs.TenantId;
import java.util.Optional;
import java.util.UUID;
import org.jooq.Field;
import org.jooq.Param;
import org.jspecify.annotations.Nullable;

/** Reads the tenant that a statement names itself, if it is a plain value. */
final class OwnTenant {

  private OwnTenant() {}

  static boolean isColumn(Field<?> field) {
    // An unquoted name has no case of its own.
    return field.getName().equalsIgnoreCase(TenantScope.COLUMN);
  }

  /** Returns the tenant that an expression is, if it is a bound value and not computed. */
  static Optional<TenantId> named(@Nullable Object expression) {
    if (!(expression instanceof Param<?> value)) {
      return Optional.empty();
    }
    return switch (value.getValue()) {
      case TenantId tenant -> Optional.of(tenant);
      case UUID id -> Optional.of(new TenantId(id));
      case null, default -> Optional.empty();
    };
  }

  /** Refuses to write a row whose tenant is not the caller's own. */
  static void require(TenantScope scope, @Nullable Object expression) {
    var tenant =
        named(expression)
            .orElseThrow(
                () ->
                    Refusal.statement(
                        "tenant_id must be the caller's own, and not an expression: leave it out"));
    if (!tenant.equals(scope.own())) {
      throw Refusal.foreignTenant(tenant);
    }
  }
}
