package io.leasehold.runs;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.StopReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the run of one attempt: starts or finds it, reports its log, and ends it with the
 * attempt. A worker that only shuts down, or has lost the lease, leaves the run to the next worker.
 */
final class FollowRun {

  private static final Logger log = LoggerFactory.getLogger(FollowRun.class);

  private static final Duration LOOK_EVERY = Duration.ofMillis(200);

  /** How long a runner, or the database, may be unavailable. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** Temporary failures of the database. */
  private static final Set<ErrorCode> PASSING =
      Set.of(
          ErrorCode.POOL_EXHAUSTED,
          ErrorCode.LOCK_TIMEOUT,
          ErrorCode.SERIALIZATION_FAILURE,
          ErrorCode.DEADLOCK,
          ErrorCode.STATEMENT_CANCELLED,
          ErrorCode.TRANSACTION_TIMEOUT,
          ErrorCode.TRANSACTION_ROLLED_BACK,
          ErrorCode.DATABASE_UNREACHABLE,
          ErrorCode.DATABASE_FULL,
          ErrorCode.DATABASE_READ_ONLY,
          ErrorCode.DATABASE_DEGRADED,
          ErrorCode.OUTCOME_UNKNOWN);

  private final Runner runner;
  private final KeepRunOutput keep;
  private final Duration grace;
  private final JobContext job;
  private final RunId id;
  private final TellLog tellLog;
  private Optional<RunSpec> prepared = Optional.empty();

  FollowRun(Runner runner, JobService jobs, KeepRunOutput keep, Duration grace, JobContext job) {
    this.runner = runner;
    this.keep = keep;
    this.grace = grace;
    this.job = job;
    this.id = RunId.of(job);
    this.tellLog = new TellLog(runner, jobs, job, id);
  }

  EndedRun follow(Callable<RunSpec> spec) throws Exception {
    var hasEnded = false;
    try {
      begin(spec);
      var code = awaitEnd();
      var outputs = patiently(FollowRun::mayPass, () -> runner.outputs(id));
      keepAll(outputs);
      hasEnded = true;
      return new EndedRun(code, outputs);
    } finally {
      if (!hasEnded) {
        stopUnlessItGoesOn();
      }
    }
  }

  // A run that this attempt started must not continue beside the run of the next attempt.
  private void stopUnlessItGoesOn() {
    if (job.stopped().filter(StopReason::goesOnElsewhere).isEmpty()) {
      try {
        runner.stop(id, grace);
      } catch (IOException e) {
        log.warn("run {} could not be stopped, the sweep will stop it", id, e);
      }
    }
  }

  // The start is recorded first, under the fence: if the record is missing, this attempt started
  // nothing. The run is prepared before the record. Once the record exists, a run that is missing
  // is not prepared again. So a worker that is suspended before the start cannot start a run that
  // was removed since, for a later attempt or for good.
  private void begin(Callable<RunSpec> spec) throws Exception {
    job.throwIfCancelled();
    if (!isFirst(spec)) {
      var found = patiently(FollowRun::mayPass, () -> runner.find(id));
      if (found.filter(RunState.Prepared.class::isInstance).isEmpty()) {
        return;
      }
      prepare(spec);
    }
    job.throwIfCancelled();
    runner.start(id, prepared.orElseThrow());
  }

  // The token is unique to this attempt, while its number may repeat after a manual retry.
  private boolean isFirst(Callable<RunSpec> spec) throws Exception {
    var isFirst = new AtomicBoolean();
    patiently(
        FollowRun::mayPassInTheDatabase,
        () ->
            job.step(
                "run begun under " + job.attemptToken(),
                Boolean.class,
                () -> {
                  removeFormer();
                  prepare(spec);
                  isFirst.set(true);
                  return true;
                }));
    return isFirst.get();
  }

  private void prepare(Callable<RunSpec> spec) throws Exception {
    prepared = Optional.of(spec.call());
    job.throwIfCancelled();
    runner.prepare(id, prepared.get());
  }

  // Also removes runs with the same number from before a manual retry. Does not remove those of
  // later attempts: a worker that was frozen until now must not end its successor's run.
  private void removeFormer() throws Exception {
    for (var other : patiently(FollowRun::mayPass, runner::all)) {
      if (id.follows(other)) {
        job.throwIfCancelled();
        runner.remove(other);
      }
    }
  }

  private int awaitEnd() throws Exception {
    while (true) {
      var code = patiently(FollowRun::mayPass, this::look);
      if (code.isPresent()) {
        return code.getAsInt();
      }
    }
  }

  // A temporary outage of an engine or database must not cost a run of hours.
  private <T> T patiently(Predicate<Exception> passes, Callable<T> work) throws Exception {
    var since = System.nanoTime();
    while (true) {
      job.throwIfCancelled();
      try {
        return work.call();
      } catch (IOException | JobsException e) {
        if (!passes.test(e) || System.nanoTime() - since >= PATIENCE.toNanos()) {
          throw e;
        }
        log.debug("a step of run {} failed, retrying", id, e);
        Thread.sleep(LOOK_EVERY);
      }
    }
  }

  private static boolean mayPass(Exception e) {
    return e instanceof IOException || mayPassInTheDatabase(e);
  }

  private static boolean mayPassInTheDatabase(Exception e) {
    return e instanceof JobsException exception && PASSING.contains(exception.code());
  }

  // Returns the exit code, if the run has ended.
  private OptionalInt look() throws IOException, InterruptedException {
    return switch (runner.await(id, LOOK_EVERY).orElseGet(RunState.Gone::new)) {
      case RunState.Exited(var code) -> {
        tellLog.tellAll();
        yield OptionalInt.of(code);
      }
      case RunState.Running _ -> {
        tellLog.tellLines();
        yield OptionalInt.empty();
      }
      case RunState.Prepared _, RunState.Gone _ -> throw new RunGone(job.attempt());
    };
  }

  private void keepAll(Path outputs) throws Exception {
    if (!Files.isDirectory(outputs, LinkOption.NOFOLLOW_LINKS)) {
      return; // The run deleted it.
    }
    try (var files = Files.walk(outputs)) {
      var all =
          files
              .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
              .sorted()
              .toList();
      for (var file : all) {
        keep(outputs.relativize(file).toString(), file);
      }
    }
  }

  private void keep(String name, Path file) throws Exception {
    patiently(
        FollowRun::mayPassInTheDatabase,
        () -> {
          keep.keep(job, name, file);
          return name;
        });
  }
}
