package io.leasehold.rest.stack;

import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryPolicy;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** A handler whose work each test gives for its own jobs, by their input. */
public final class Works implements JobHandler<String, Object> {

  /** Its kind of jobs. */
  public static final JobType<String, Object> TYPE =
      JobType.restartable(
              "gts.x.core.jobs.handler.v1~acme.tests.rest.work.v1", String.class, Object.class)
          .queue("works")
          .retry(RetryPolicy.exponential(3).first(Duration.ofMillis(10)));

  private final Map<String, JobHandler<String, Object>> works = new ConcurrentHashMap<>();

  /** Gives some work, and answers the input of jobs that do it. */
  public String of(JobHandler<String, Object> work) {
    return of(UUID.randomUUID().toString(), work);
  }

  /** Gives some work a name, which is the input of jobs that do it. */
  public String of(String name, JobHandler<String, Object> work) {
    works.put(name, work);
    return name;
  }

  @Override
  public Object run(JobContext job, String name) throws Exception {
    var work = works.get(name);
    if (work == null) {
      throw new IllegalStateException("no work is named " + name);
    }
    return work.run(job, name);
  }
}
