package io.leasehold.rest.limit;

import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;

/**
 * A caller's identity. Two tenants may have principals of the same name.
 *
 * @param tenant the principal's tenant
 * @param name the name given by its issuer
 */
record Principal(TenantId tenant, String name) {

  static Principal of(SecurityContext caller) {
    return new Principal(caller.tenant(), caller.principal());
  }
}
