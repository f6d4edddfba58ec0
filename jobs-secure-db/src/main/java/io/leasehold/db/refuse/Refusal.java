package io.leasehold.db.refuse;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import org.jooq.Name;

/** Explains why a statement was not sent, and what to write instead. */
public final class Refusal {

  private Refusal() {}

  public static JobsException statement(String why) {
    return new JobsException(ErrorCode.STATEMENT_REFUSED, why);
  }

  public static JobsException undeclared(Name table) {
    return statement(
        "table %s is not declared: declare it with tenantTables(binder()).scoped(…) or .shared(…)"
            .formatted(table));
  }

  public static JobsException foreignTenant(Object tenant) {
    return new JobsException(
        ErrorCode.TENANT_FOREIGN, "tenant %s is not the caller's".formatted(tenant));
  }
}
