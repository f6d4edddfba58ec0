package io.leasehold.proofs.explore;

import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.engine.kernel.HeldLease;
import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jooq.JSON;

/**
 * The job that all operations are about, as worker A was given it.
 *
 * @param id of the job
 * @param token of A's lease
 * @param other another job of A's, where there is one
 */
record Target(JobId id, long token, Optional<HeldLease> other) {

  /** Had the first lease of the job. */
  static final WorkerId A = new WorkerId(new UUID(0, 0xA));

  /** Claims, and had the second lease. */
  static final WorkerId B = new WorkerId(new UUID(0, 0xB));

  static final String QUEUE = "explored";

  static final JobType<String, String> TYPE =
      JobType.restartable(
          "gts.x.core.jobs.handler.v1~test.explore.some.job.v1", String.class, String.class);
  static final String KEY = "the key";

  static final TenantId TENANT = new TenantId(new UUID(1, 1));
  static final SecurityContext CALLER = SecurityContext.of("ann", TENANT).build();

  Target with(Target another) {
    return new Target(id, token, Optional.of(new HeldLease(another.id, another.token)));
  }

  List<HeldLease> lease() {
    return List.of(new HeldLease(id, token));
  }

  ClaimedJob claimed() {
    return new ClaimedJob(
        TENANT,
        id,
        token,
        1,
        3,
        TYPE.handler().value(),
        0,
        JSON.json("1"),
        null,
        Optional.empty(),
        Optional.empty(),
        "ann",
        Optional.empty());
  }
}
