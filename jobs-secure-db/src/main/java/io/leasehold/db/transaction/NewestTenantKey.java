package io.leasehold.db.transaction;

import static io.leasehold.db.schema.Tables.TENANT_KEY;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import org.jooq.DSLContext;

/** Reads the key with which processes sign. */
final class NewestTenantKey {

  private NewestTenantKey() {}

  static byte[] read(DSLContext tx) {
    return tx.select(TENANT_KEY.SECRET)
        .from(TENANT_KEY)
        .orderBy(TENANT_KEY.ID.desc())
        .limit(1)
        .fetchOptional(TENANT_KEY.SECRET)
        .orElseThrow(
            () ->
                new JobsException(
                    ErrorCode.DATABASE_UNSAFE,
                    "leasehold.tenant_key has no key: run leasehold rotate-key"));
  }
}
