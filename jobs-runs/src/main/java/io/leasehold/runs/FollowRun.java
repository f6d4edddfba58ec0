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
 * Sees to the run of one attempt: starts or finds it, tells what it says, and ends it with the
 * attempt. A worker that only stops, or has lost the lease, leaves it to the next one.
 */
final class FollowRun {

  private static final Logger log = LoggerFactory.getLogger(FollowRun.class);

  private static final Duration LOOK_EVERY = Duration.ofMillis(200);

  /** For how long a runner, or the database, may not be able to tell or do something. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** What the database cannot do at present. */
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

  // What it began must not go on beside the next attempt's.
  private void stopUnlessItGoesOn() {
    if (job.stopped().filter(StopReason::goesOnElsewhere).isEmpty()) {
      try {
        runner.stop(id, grace);
      } catch (IOException e) {
        log.warn("run {} is not stopped at present, and left to the sweep", id, e);
      }
    }
  }

  // What may have been started is noted before, under the fence: where it is not, nobody of this
  // attempt started anything. And it is prepared before that, and by nobody afterwards: so one that
  // slept before its start cannot begin what was removed since, for a later attempt or for good.
  private void begin(Callable<RunSpec> spec) throws Exception {
    job.throwIfCancelled();
    if (!isFirst(spec)) {
      var found = patiently(FollowRun::mayPass, () -> runner.find(id));
      if (found.filter(its -> its instanceof RunState.Prepared).isEmpty()) {
        return;
      }
      prepare(spec);
    }
    job.throwIfCancelled();
    runner.start(id, prepared.orElseThrow());
  }

  // The token is this attempt's alone, while its number may be that of one before a retry by hand.
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

  // Also one of the same number, of a former life. Not those of later attempts: a worker that was
  // frozen until now must not end its successor's.
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

  // An engine, or a database, that is away for a while must not cost a run of hours.
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
        log.debug("what run {} needs cannot be done, which is tried again", id, e);
        Thread.sleep(LOOK_EVERY);
      }
    }
  }

  private static boolean mayPass(Exception e) {
    return e instanceof IOException || mayPassInTheDatabase(e);
  }

  private static boolean mayPassInTheDatabase(Exception e) {
    return e instanceof JobsException its && PASSING.contains(its.code());
  }

  // Answers what it ended with, if it has.
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
      return; // The run took it away.
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
