package io.leasehold.runs;

import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to the run of one attempt: starts or finds it, tells what it says, and stops it if its job
 * has to. A worker that only stops, or has lost the lease, leaves it to the next one.
 */
final class FollowRun {

  private static final Logger log = LoggerFactory.getLogger(FollowRun.class);

  private static final Duration LOOK_EVERY = Duration.ofMillis(200);

  /** For how long a runner may not be able to tell how a run is. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final Runner runner;
  private final KeepOutput keep;
  private final Duration grace;
  private final JobContext job;
  private final RunId id;
  private final TellLog tellLog;

  FollowRun(Runner runner, JobService jobs, KeepOutput keep, Duration grace, JobContext job) {
    this.runner = runner;
    this.keep = keep;
    this.grace = grace;
    this.job = job;
    this.id = RunId.of(job);
    this.tellLog = new TellLog(runner, jobs, job, id);
  }

  EndedRun follow(Callable<RunSpec> spec) throws Exception {
    try {
      begin(spec);
      var code = awaitEnd();
      var outputs = runner.outputs(id);
      keepAll(outputs);
      return new EndedRun(code, outputs);
    } finally {
      if (isToBeStopped()) {
        runner.stop(id, grace);
      }
    }
  }

  // An attempt that is not adopted finds runs of its job's former attempts at most, or those of a
  // former life, before a retry by hand. A run of this attempt it can only have lost before this
  // process began it: a start that may have happened is marked before.
  private void begin(Callable<RunSpec> spec) throws Exception {
    job.throwIfCancelled();
    var isFirst = mark();
    if (!job.isAdopted()) {
      removeFormer();
      runner.start(id, spec.call());
      return;
    }
    var found = runner.find(id);
    if (found.isEmpty() ? isFirst : found.get() instanceof RunState.Prepared) {
      runner.start(id, spec.call());
    }
  }

  // Written under the fence, before the start: where it is not, nobody started anything.
  private boolean mark() throws Exception {
    var isFirst = new AtomicBoolean();
    job.step(
        "run of attempt " + job.attempt(),
        Boolean.class,
        () -> {
          isFirst.set(true);
          return true;
        });
    return isFirst.get();
  }

  // Not those of later attempts: a worker that was frozen until now must not end its successor's.
  private void removeFormer() throws IOException, InterruptedException {
    for (var other : runner.all()) {
      if (id.follows(other)) {
        runner.remove(other);
      }
    }
  }

  // An engine that is away for a while must not cost a run of hours.
  private int awaitEnd() throws IOException, InterruptedException {
    var lastSeen = System.nanoTime();
    while (true) {
      job.throwIfCancelled();
      try {
        var code = look();
        if (code.isPresent()) {
          return code.getAsInt();
        }
        lastSeen = System.nanoTime();
      } catch (IOException e) {
        if (System.nanoTime() - lastSeen >= PATIENCE.toNanos()) {
          throw e;
        }
        log.debug("run {} cannot be looked at, which is tried again", id, e);
        Thread.sleep(LOOK_EVERY);
      }
    }
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
      case RunState.Prepared _, RunState.Gone _ -> throw gone();
    };
  }

  // What it may have left running must not go on beside the next attempt's.
  private RunGone gone() throws IOException {
    runner.remove(id);
    return new RunGone(job.attempt());
  }

  private void keepAll(Path outputs) throws IOException, InterruptedException {
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
        keep.keep(job, outputs.relativize(file).toString(), file);
      }
    }
  }

  private boolean isToBeStopped() {
    return job.stopped().filter(why -> !why.goesOnElsewhere()).isPresent();
  }
}
