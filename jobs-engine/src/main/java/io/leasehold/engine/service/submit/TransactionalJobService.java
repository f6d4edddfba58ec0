package io.leasehold.engine.service.submit;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import io.leasehold.engine.metrics.JobMeters;
import io.leasehold.engine.service.command.CancelJob;
import io.leasehold.engine.service.command.DeleteJob;
import io.leasehold.engine.service.command.RetryJob;
import io.leasehold.engine.service.history.ReadDependencies;
import io.leasehold.engine.service.history.ReadEvents;
import io.leasehold.engine.service.history.ReadTasks;
import io.leasehold.engine.service.query.ExplainJob;
import io.leasehold.engine.service.query.FindJob;
import io.leasehold.engine.service.query.FindJobs;
import io.leasehold.engine.service.query.ReadMetadata;
import io.leasehold.engine.service.query.ReadResult;
import io.leasehold.engine.service.values.Json;
import io.leasehold.engine.service.values.Metadata;
import io.leasehold.engine.signal.Dependents;
import io.leasehold.engine.signal.JobChanges;
import io.leasehold.engine.signal.WakeUps;
import io.leasehold.jobs.Cancellation;
import io.leasehold.jobs.Deletion;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.HandlerId;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobPage;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobResult;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.RetryOutcome;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.Submission;
import io.leasehold.jobs.history.DependencyPage;
import io.leasehold.jobs.history.EventCursor;
import io.leasehold.jobs.history.EventPage;
import io.leasehold.jobs.history.Explanation;
import io.leasehold.jobs.history.JobTask;
import io.leasehold.jobs.history.JobWatch;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jooq.JSON;
import tools.jackson.core.JacksonException;

/**
 * The stored jobs of a tenant. Requests must have been admitted before. Commands are part of a
 * transaction, and announced after its commit; each read has a transaction of its own.
 */
public final class TransactionalJobService {

  private static final TransactionOptions ONE_STATEMENT =
      TransactionOptions.defaults().asOneStatement();

  private final Transactions transactions;
  private final WakeUps wakeUps;
  private final JobChanges changes;
  private final JobMeters meters;
  private final JobWatch watch;
  private final Dependents dependents;

  @Inject
  TransactionalJobService(
      Transactions transactions,
      WakeUps wakeUps,
      JobChanges changes,
      JobMeters meters,
      JobWatch watch,
      Dependents dependents) {
    this.transactions = transactions;
    this.wakeUps = wakeUps;
    this.changes = changes;
    this.meters = meters;
    this.watch = watch;
    this.dependents = dependents;
  }

  /** Stores a job. */
  public Submission submit(ScopedTransaction tx, JobRequest<?, ?> request) {
    if (request.key().isPresent() || request.mirror().isPresent() || !Alike.of(request).isPlain()) {
      return submitAll(tx, List.of(request)).getFirst();
    }
    var submission = SubmitJob.submit(tx, request);
    var handler = request.type().handler().value();
    tx.afterCommit(
        () -> {
          wake(request);
          meters.submitted(handler, 1);
          changes.changed(submission.jobId());
        });
    return submission;
  }

  /** Stores jobs, with one statement for all requests that differ only in their values. */
  public List<Submission> submitAll(
      ScopedTransaction tx, List<? extends JobRequest<?, ?>> requests) {
    var submissions = SubmitJobs.submit(tx, requests);
    wakeAfterCommit(tx, requests);
    Map<HandlerId, Integer> stored = new HashMap<>();
    for (int i = 0; i < submissions.size(); i++) {
      if (!submissions.get(i).repeated()) {
        stored.merge(requests.get(i).type().handler(), 1, Integer::sum);
      }
    }
    tx.afterCommit(
        () -> {
          stored.forEach((handler, jobs) -> meters.submitted(handler.value(), jobs));
          changes.changed(submissions, Submission::jobId);
        });
    if (requests.stream().anyMatch(request -> !request.after().isEmpty())) {
      tx.afterCommit(dependents::look);
    }
    return submissions;
  }

  /**
   * Submits a job that runs once other jobs have finished, however they end, if the transaction
   * commits.
   *
   * @param jobs existing jobs, in any number
   */
  public Submission submitAfterEnd(
      ScopedTransaction tx, JobRequest<?, ?> request, List<JobId> jobs) {
    var submission =
        AttachMirrors.around(tx, request, () -> SubmitAfter.submitAfterEnd(tx, request, jobs));
    wakeAfterCommit(tx, List.of(request));
    tx.afterCommit(
        () -> {
          if (!submission.repeated()) {
            meters.submitted(request.type().handler().value(), 1);
          }
          changes.changed(submission.jobId());
          dependents.look();
        });
    return submission;
  }

  private void wake(JobRequest<?, ?> request) {
    if (request.delay().isZero()) {
      wakeUps.jobsIn(request.type().queue());
    } else {
      wakeUps.jobsDueIn(request.delay());
    }
  }

  private void wakeAfterCommit(ScopedTransaction tx, List<? extends JobRequest<?, ?>> requests) {
    requests.stream()
        .map(JobRequest::delay)
        .filter(Duration::isPositive)
        .min(Comparator.naturalOrder())
        .ifPresent(delay -> tx.afterCommit(() -> wakeUps.jobsDueIn(delay)));
    requests.stream()
        .filter(request -> request.delay().isZero())
        .map(request -> request.type().queue())
        .distinct()
        .forEach(queue -> tx.afterCommit(() -> wakeUps.jobsIn(queue)));
  }

  public Optional<Job> find(SecurityContext caller, JobId id) {
    return transactions.asTenant(caller, ONE_STATEMENT, tx -> FindJob.find(tx, id));
  }

  public Optional<Explanation> explain(SecurityContext caller, JobId id) {
    return transactions.asTenant(caller, ONE_STATEMENT, tx -> ExplainJob.explain(tx, id));
  }

  public Optional<DependencyPage> dependencies(
      SecurityContext caller, JobId id, Optional<JobId> after, int limit) {
    return transactions.asTenant(caller, tx -> ReadDependencies.read(tx, id, after, limit));
  }

  public JobPage list(SecurityContext caller, JobFilter filter) {
    return transactions.asTenant(caller, ONE_STATEMENT, tx -> FindJobs.list(tx, filter));
  }

  public <O> JobResult<O> result(SecurityContext caller, JobId id, Class<O> output) {
    return transactions.asTenant(
        caller, tx -> ReadResult.read(tx, id, json -> output(id, json, output)));
  }

  private static <O> O output(JobId id, JSON json, Class<O> output) {
    try {
      return Json.read(json, output);
    } catch (JacksonException e) {
      throw new JobsException(
          ErrorCode.RESULT_UNREADABLE,
          "the output of job %s cannot be read as %s".formatted(id, output.getName()),
          e);
    }
  }

  public <T> Optional<T> metadata(SecurityContext caller, JobId id, String name, Class<T> type) {
    return transactions
        .asTenant(caller, ONE_STATEMENT, tx -> ReadMetadata.read(tx, id))
        .flatMap(stored -> metadata(id, stored).value(name, type));
  }

  private static Metadata metadata(JobId id, JSON stored) {
    try {
      return Metadata.of(stored);
    } catch (JacksonException e) {
      throw new JobsException(
          ErrorCode.RESULT_UNREADABLE, "the metadata of job %s cannot be read".formatted(id));
    }
  }

  public Optional<EventPage> events(
      SecurityContext caller, JobId id, EventCursor after, int limit) {
    return transactions.asTenant(
        caller, ONE_STATEMENT, tx -> ReadEvents.read(tx, id, after, limit));
  }

  public Optional<List<JobTask>> tasks(SecurityContext caller, JobId id) {
    return transactions.asTenant(caller, ONE_STATEMENT, tx -> ReadTasks.read(tx, id));
  }

  public Optional<Job> await(SecurityContext caller, JobId id, Duration most) {
    return AwaitEnd.await(
        changed -> watch.watch(caller, id, changed), () -> find(caller, id), most);
  }

  /** Cancels a job. */
  public Cancellation cancel(ScopedTransaction tx, JobId id) {
    var cancellation = CancelJob.cancel(tx, id, false);
    if (!(cancellation instanceof Cancellation.NotFound)) {
      announceCancelled(
          tx,
          List.of(id),
          cancellation instanceof Cancellation.Requested,
          cancellation instanceof Cancellation.Cancelled);
    }
    return cancellation;
  }

  /**
   * Notifies of jobs that were cancelled or are to be, after the commit.
   *
   * @param anyRuns whether workers run some of them
   * @param anyEnded whether some of them have ended
   */
  public void announceCancelled(
      ScopedTransaction tx, Collection<JobId> jobs, boolean anyRuns, boolean anyEnded) {
    if (anyRuns) {
      tx.afterCommit(wakeUps::cancellations);
    }
    tx.afterCommit(() -> changes.changed(jobs));
    if (anyEnded) {
      tx.afterCommit(dependents::look);
    }
  }

  /** Queues a finished job again. */
  public RetryOutcome retry(ScopedTransaction tx, JobId id) {
    var retrial = RetryJob.retry(tx, id);
    if (retrial instanceof RetryOutcome.Queued) {
      tx.afterCommit(() -> changes.changed(id));
      tx.afterCommit(dependents::look);
      FindJob.find(tx, id).ifPresent(job -> tx.afterCommit(() -> wakeUps.jobsIn(job.queue())));
    }
    return retrial;
  }

  /** Deletes a job that is not running. */
  public Deletion delete(ScopedTransaction tx, JobId id) {
    var deletion = DeleteJob.delete(tx, id);
    if (deletion instanceof Deletion.Deleted) {
      tx.afterCommit(() -> changes.changed(id));
      tx.afterCommit(dependents::look);
    }
    return deletion;
  }

  /** Deletes a job, and ends it first if it is running. */
  public Deletion forceDelete(ScopedTransaction tx, JobId id) {
    var deletion = DeleteJob.forceDelete(tx, id);
    if (!(deletion instanceof Deletion.NotFound)) {
      announceCancelled(tx, List.of(id), deletion instanceof Deletion.Requested, true);
    }
    return deletion;
  }
}
