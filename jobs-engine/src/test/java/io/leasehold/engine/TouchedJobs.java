package io.leasehold.engine;

import static java.util.stream.Collectors.joining;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.Cancellation;
import io.leasehold.jobs.Deletion;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryOutcome;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A tenant's jobs, one at each place, that a transaction does to what can be done.
 *
 * @param waiting to be cancelled
 * @param scheduled to be cancelled, and due soon
 * @param ending runs, to be cancelled, and ends by itself before it hears of it
 * @param staying runs, to be cancelled
 * @param lost runs, to be cancelled, and its worker is lost
 * @param dead failed, to be retried
 * @param later scheduled, to be run now
 * @param unwanted waits, to be deleted
 * @param done ended, to be deleted
 */
record TouchedJobs(
    JobId waiting,
    JobId scheduled,
    JobId ending,
    JobId staying,
    JobId lost,
    JobId dead,
    JobId later,
    JobId unwanted,
    JobId done) {

  static final JobType<String, String> WORK = Handlers.type("work");

  /** The same as they were in another process. */
  static TouchedJobs of(String line) {
    var ids = Arrays.stream(line.split(" ", -1)).map(JobId::of).toList();
    return new TouchedJobs(
        ids.get(0),
        ids.get(1),
        ids.get(2),
        ids.get(3),
        ids.get(4),
        ids.get(5),
        ids.get(6),
        ids.get(7),
        ids.get(8));
  }

  /** For another process. */
  String line() {
    return Stream.of(waiting, scheduled, ending, staying, lost, dead, later, unwanted, done)
        .map(JobId::toString)
        .collect(joining(" "));
  }

  /** Does it all, submits one more job, and answers that one's id. */
  JobId touch(JobService jobs, ScopedTransaction tx) {
    for (var id : List.of(waiting, scheduled)) {
      require(jobs.cancel(tx, id), new Cancellation.Cancelled());
    }
    for (var id : List.of(ending, staying, lost)) {
      require(jobs.cancel(tx, id), new Cancellation.Requested());
    }
    for (var id : List.of(dead, later)) {
      require(jobs.retry(tx, id), new RetryOutcome.Queued());
    }
    for (var id : List.of(unwanted, done)) {
      require(jobs.delete(tx, id), new Deletion.Deleted());
    }
    return jobs.submit(tx, WORK.request("open")).jobId();
  }

  private static void require(Object answer, Object expected) {
    if (!answer.equals(expected)) {
      throw new IllegalStateException("%s, not %s".formatted(answer, expected));
    }
  }
}
