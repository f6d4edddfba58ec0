package io.leasehold.rest.isolation;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.PermanentFailure;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** What a tenant's jobs do: each says its canary wherever a job can say anything. */
enum Trick {
  SUCCEEDS {
    @Override
    Object run(JobContext job, String canary) throws Exception {
      job.output(canary, canary + "/x", out -> out.write(canary.getBytes(US_ASCII)));
      return Map.of(canary, List.of(canary));
    }
  },
  TELLS {
    @Override
    Object run(JobContext job, String canary) throws Exception {
      job.progress(10, canary);
      job.event(canary, Map.of("said", canary));
      job.output(canary, canary + "/x", out -> out.write(canary.getBytes(US_ASCII)));
      job.event("task_status", Map.of("task_id", "load", "status", "failed", "error", canary));
      job.checkpoint(canary);
      job.progress(90, canary + job.lastCheckpoint(String.class).orElse(""));
      return job.step(canary, String.class, () -> canary);
    }
  },
  FAILS {
    @Override
    Object run(JobContext job, String canary) {
      throw new IllegalStateException(canary);
    }
  },
  GIVES_UP {
    @Override
    Object run(JobContext job, String canary) {
      throw new PermanentFailure(canary, new IllegalArgumentException(canary));
    }
  },
  STUMBLES {
    @Override
    Object run(JobContext job, String canary) {
      if (job.attempt() == 1) {
        throw new IllegalStateException(canary);
      }
      return canary;
    }
  },
  LINGERS {
    @Override
    Object run(JobContext job, String canary) {
      for (var n = 0; n < LONG; n++) {
        job.throwIfCancelled();
        job.event("log", List.of(canary, n));
        job.progress(n, canary);
        LockSupport.parkNanos(PACE_NANOS); // The work.
      }
      return canary;
    }
  };

  private static final int LONG = 20;
  private static final long PACE_NANOS = 50_000_000;

  JobHandler<String, Object> of(String canary) {
    return (job, name) -> run(job, canary);
  }

  abstract Object run(JobContext job, String canary) throws Exception;
}
