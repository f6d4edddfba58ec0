package io.leasehold.engine.service.submit;

import static io.leasehold.db.schema.Tables.SUBMIT_AFTER;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.Submission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

/** Writes requests that wait for other jobs or reuse existing ones, in the caller's transaction. */
final class SubmitAfter {

  private SubmitAfter() {}

  /**
   * Returns the result of each request, in the order of the requests.
   *
   * @throws JobsException with {@link ErrorCode#DEPENDENCY_UNKNOWN} if a job to wait for does not
   *     exist; nothing is written in that case
   */
  static List<Submission> submit(
      ScopedTransaction tx, Alike alike, List<? extends JobRequest<?, ?>> requests) {
    var submissions = submit(tx, alike, requests, Waits.of(requests), false);
    if (submissions.isEmpty()) {
      throw new JobsException(
          ErrorCode.DEPENDENCY_UNKNOWN, "one of the jobs to wait for is not there");
    }
    return submissions;
  }

  /** Writes a request that waits for the end of existing jobs, however they end. */
  static Submission submitAfterEnd(
      ScopedTransaction tx, JobRequest<?, ?> request, List<JobId> jobs) {
    var ofs = Collections.nCopies(jobs.size(), 1);
    return submit(tx, Alike.of(request), List.of(request), new Waits(jobs, ofs), true).getFirst();
  }

  private static List<Submission> submit(
      ScopedTransaction tx,
      Alike alike,
      List<? extends JobRequest<?, ?>> requests,
      Waits waits,
      boolean untilEnd) {
    var type = alike.type();
    var caller = tx.caller();
    var submitted =
        SUBMIT_AFTER.call(
            type.handler().value(),
            type.queue(),
            (short) alike.priority(),
            (short) alike.maxAttempts(),
            alike.timeout().map(Duration::toMillis).orElse(null),
            alike.delay().toMillis(),
            caller.principal(),
            Requests.correlation(caller),
            Requests.inputs(requests),
            Requests.metadataOf(requests),
            Requests.keys(requests),
            alike.reuse().map(Duration::toMillis).orElse(null),
            waits.on().stream().map(JobId::value).toArray(UUID[]::new),
            waits.ofs().toArray(Integer[]::new),
            untilEnd);
    return SubmitJobs.submissions(tx, submitted, submitted.ID, submitted.REPEATED);
  }

  /**
   * Which request waits for which job.
   *
   * @param on the job to wait for
   * @param ofs the number of the request that waits for it, counted from one
   */
  private record Waits(List<JobId> on, List<Integer> ofs) {

    static Waits of(List<? extends JobRequest<?, ?>> requests) {
      var on = new ArrayList<JobId>();
      var ofs = new ArrayList<Integer>();
      for (int i = 0; i < requests.size(); i++) {
        for (var job : requests.get(i).after()) {
          on.add(job);
          ofs.add(i + 1);
        }
      }
      return new Waits(on, ofs);
    }
  }
}
