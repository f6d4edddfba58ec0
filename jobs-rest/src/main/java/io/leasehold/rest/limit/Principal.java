package io.leasehold.rest.limit;

import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;

/**
 * One who calls. Two tenants may have principals of the same name.
 *
 * @param tenant whose it is
 * @param name as its issuer names it
 */
record Principal(TenantId tenant, String name) {

  static Principal of(SecurityContext caller) {
    return new Principal(caller.tenant(), caller.principal());
  }
}
