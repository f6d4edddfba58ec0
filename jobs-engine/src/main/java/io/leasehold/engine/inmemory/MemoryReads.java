package io.leasehold.engine.inmemory;

import io.leasehold.engine.inmemory.state.MemoryClock;
import io.leasehold.engine.service.values.Metadata;
import io.leasehold.engine.work.attempt.RunningJob;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobResult;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.StopReason;
import io.leasehold.jobs.history.EventCursor;
import io.leasehold.jobs.history.EventPage;
import io.leasehold.jobs.history.Explanation;
import io.leasehold.jobs.history.JobTask;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The callers' reads of in-memory jobs, across all tenants that they may read. */
final class MemoryReads {

  private final MemoryQueue queue;
  private final MemoryWorker worker;
  private final MemoryClock clock;

  @Inject
  MemoryReads(MemoryQueue queue, MemoryWorker worker, MemoryClock clock) {
    this.queue = queue;
    this.worker = worker;
    this.clock = clock;
  }

  Optional<Job> find(SecurityContext caller, JobId id) {
    return readable(caller, id).map(MemoryJob::seen);
  }

  private Optional<MemoryJob> readable(SecurityContext caller, JobId id) {
    return queue.find(id).filter(job -> isReadable(caller, job));
  }

  private static boolean isReadable(SecurityContext caller, MemoryJob job) {
    return caller.readableTenants().contains(job.asked().tenant());
  }

  /** Returns up to one job more than the filter's limit, newest first. */
  List<Job> list(SecurityContext caller, JobFilter filter) {
    return filter
        .after()
        .map(queue::behind)
        .orElseGet(queue::newest)
        .filter(job -> isReadable(caller, job))
        .map(MemoryJob::seen)
        .filter(job -> matches(job, filter))
        .limit(filter.limit() + 1L)
        .toList();
  }

  private static boolean matches(Job job, JobFilter filter) {
    return filter.handler().map(job.handler()::equals).orElse(true)
        && filter.queue().map(job.queue()::equals).orElse(true)
        && filter.status().map(job.status()::equals).orElse(true)
        && filter
            .correlationId()
            .map(id -> job.correlationId().equals(Optional.of(id)))
            .orElse(true)
        && filter.createdAfter().map(time -> !job.createdAt().isBefore(time)).orElse(true)
        && filter.createdBefore().map(time -> job.createdAt().isBefore(time)).orElse(true);
  }

  <O> Optional<JobResult<O>> result(SecurityContext caller, JobId id, Class<O> output) {
    return readable(caller, id).map(job -> result(id, job.life(), output));
  }

  private static <O> JobResult<O> result(JobId id, MemoryJob.Life life, Class<O> output) {
    return switch (life.status()) {
      case QUEUED, RUNNING -> new JobResult.NotOver<>(life.status());
      case FAILED, TIMED_OUT, CANCELLED -> new JobResult.Ended<>(life.status(), life.lastError());
      case SUCCEEDED -> {
        if (life.output() != null && !output.isInstance(life.output())) {
          throw new JobsException(
              ErrorCode.RESULT_UNREADABLE,
              "the output of job %s cannot be read as %s".formatted(id, output.getName()));
        }
        yield new JobResult.Succeeded<>(output.cast(life.output()));
      }
    };
  }

  Optional<Metadata> metadata(SecurityContext caller, JobId id) {
    return readable(caller, id).map(job -> Metadata.of(job.asked().metadata()));
  }

  Optional<EventPage> events(SecurityContext caller, JobId id, EventCursor after, int limit) {
    return readable(caller, id)
        .map(
            job -> {
              var isOver = job.life().status().isFinal(); // First, so that the page is complete.
              return job.history().page(after, limit, isOver);
            });
  }

  Optional<List<JobTask>> tasks(SecurityContext caller, JobId id) {
    return readable(caller, id).map(job -> TasksTold.of(job.history().all()));
  }

  /**
   * Explains why a job does not run. A job that is due waits for the engine to start or for a slot.
   */
  Optional<Explanation> explain(SecurityContext caller, JobId id) {
    return readable(caller, id).map(this::explain);
  }

  private Explanation explain(MemoryJob job) {
    var life = job.life();
    var until = life.availableAt().filter(availableAt -> availableAt.isAfter(clock.now()));
    var reason =
        switch (life.status()) {
          case SUCCEEDED, FAILED, TIMED_OUT, CANCELLED -> Explanation.Reason.OVER;
          case RUNNING -> whyRunning(job);
          case QUEUED -> until.isPresent() ? life.later() : whyDue();
        };
    var queue = job.asked().handler().type().queue();
    return new Explanation(job.asked().id(), life.status(), reason, queue, until, 0);
  }

  private Explanation.Reason whyDue() {
    return worker.works() ? Explanation.Reason.SLOTS_FULL : Explanation.Reason.NO_WORKER;
  }

  private static Explanation.Reason whyRunning(MemoryJob job) {
    return Optional.ofNullable(job.held())
        .flatMap(RunningJob::stopped)
        .filter(why -> why == StopReason.CANCELLED || why == StopReason.REMOVED)
        .map(_ -> Explanation.Reason.CANCEL_REQUESTED)
        .orElse(Explanation.Reason.RUNNING);
  }

  /** Waits for the end of the job if it exists. The job may be gone afterwards. */
  Optional<Job> await(SecurityContext caller, JobId id, Duration most) {
    var job = readable(caller, id);
    try {
      if (job.isPresent()) {
        job.get().awaitEnd(most);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new JobsException(ErrorCode.INTERRUPTED, "the thread is interrupted", e);
    }
    return find(caller, id);
  }
}
