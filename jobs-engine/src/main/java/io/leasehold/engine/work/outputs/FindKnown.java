package io.leasehold.engine.work.outputs;

import static io.leasehold.db.schema.Tables.JOB;
import static io.leasehold.db.schema.Tables.LEASE;
import static io.leasehold.db.schema.Tables.OUTCOME;
import static io.leasehold.db.schema.Tables.OUTPUT;

import io.leasehold.engine.work.outputs.files.FileNames;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.TenantId;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.Record4;

/** Finds, in one snapshot, which of a tenant's jobs exist and which of their files are needed. */
final class FindKnown {

  private FindKnown() {}

  /**
   * What is known about a job.
   *
   * @param token the token of its lease, while it runs
   * @param isDone whether it has succeeded, so that no attempt will continue its drafts
   * @param named the files that its outputs name
   */
  record Known(OptionalLong token, boolean isDone, Set<String> named) {

    /** Whether a file is in use or may still be used. */
    boolean counts(String file) {
      return named.contains(file)
          || (token.isPresent() && FileNames.isOf(token.getAsLong(), file))
          || (FileNames.isDraft(file) && !isDone);
    }
  }

  static Map<JobId, Known> find(DSLContext tx, TenantId tenant, Collection<JobId> jobs) {
    var known = new HashMap<JobId, Known>();
    tx.select(JOB.ID, LEASE.TOKEN, OUTCOME.STATUS, OUTPUT.FILE)
        .from(JOB)
        .leftJoin(LEASE)
        .on(LEASE.ID.eq(JOB.ID), LEASE.TENANT_ID.eq(JOB.TENANT_ID))
        .leftJoin(OUTCOME)
        .on(OUTCOME.TENANT_ID.eq(JOB.TENANT_ID), OUTCOME.ID.eq(JOB.ID))
        .leftJoin(OUTPUT)
        .on(OUTPUT.ID.eq(JOB.ID), OUTPUT.TENANT_ID.eq(JOB.TENANT_ID))
        .where(JOB.TENANT_ID.eq(tenant), JOB.ID.in(jobs))
        .forEach(row -> add(known, row));
    return known;
  }

  private static void add(Map<JobId, Known> known, Record4<JobId, Long, String, String> row) {
    var entry =
        known.computeIfAbsent(
            row.value1(),
            _ ->
                new Known(
                    row.value2() == null ? OptionalLong.empty() : OptionalLong.of(row.value2()),
                    JobStatus.SUCCEEDED.word().equals(row.value3()),
                    new HashSet<>()));
    if (row.value4() != null) {
      entry.named().add(row.value4());
    }
  }
}
