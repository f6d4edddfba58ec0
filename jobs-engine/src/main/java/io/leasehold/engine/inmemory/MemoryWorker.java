package io.leasehold.engine.inmemory;

import io.leasehold.engine.inmemory.MemoryAttempt.Ended;
import io.leasehold.engine.inmemory.MemoryJob.Life;
import io.leasehold.engine.inmemory.state.MemoryClock;
import io.leasehold.engine.inmemory.state.MemoryTerms;
import io.leasehold.engine.metrics.AttemptOutcome;
import io.leasehold.engine.metrics.JobMeters;
import io.leasehold.engine.threads.AttemptThreads;
import io.leasehold.engine.threads.Lasting;
import io.leasehold.engine.threads.Pauses;
import io.leasehold.engine.threads.PeriodicTask;
import io.leasehold.engine.work.attempt.RunningJob;
import io.leasehold.engine.work.finish.Ending;
import io.leasehold.engine.work.run.RunningJobs;
import io.leasehold.engine.work.run.WatchJobs;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.StopReason;
import io.leasehold.jobs.history.Explanation.Reason;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the in-memory jobs of this process, each on a virtual thread of its own. It is started and
 * stopped once; jobs that arrive before the start wait for it.
 */
public final class MemoryWorker {

  private static final Logger log = LoggerFactory.getLogger(MemoryWorker.class);

  private static final Duration LOOK_EVERY = Duration.ofMillis(25);
  private static final Duration LAST_WORDS = Duration.ofMillis(500);

  /** As the database writes times into events. */
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT);

  private final MemoryQueue queue;
  private final MemoryAttempt attempt;
  private final MemoryClock clock;
  private final MemoryTerms terms;
  private final RandomGenerator random;
  private final JobMeters meters;
  private final RunningJobs held = new RunningJobs();
  private final AttemptThreads threads = new AttemptThreads();
  private final WatchJobs watch;
  private final AtomicLong tokens = new AtomicLong();

  private volatile boolean works;
  private volatile boolean refuses;
  private volatile boolean over;
  private @Nullable Thread keeping;

  @Inject
  MemoryWorker(
      MemoryQueue queue,
      MemoryAttempt attempt,
      MemoryClock clock,
      MemoryTerms terms,
      RandomGenerator random,
      JobMeters meters) {
    this.queue = queue;
    this.attempt = attempt;
    this.clock = clock;
    this.terms = terms;
    this.random = random;
    this.meters = meters;
    this.watch = new WatchJobs(held, Duration.ZERO, terms.cancelGrace(), this::abandon);
  }

  /** Starts to run jobs. */
  public void start() {
    works = true;
    keeping =
        Lasting.start(
            "memory",
            new PeriodicTask("the check of in-memory jobs", LOOK_EVERY, random, this::look));
  }

  private void look() {
    watch.look();
    queue.tidy();
    dispatch();
  }

  /** Returns whether it runs jobs, that is, between start and stop. */
  boolean works() {
    return works;
  }

  /** Refuses new jobs from now on; the jobs that it has continue. */
  public void refuse() {
    refuses = true;
  }

  /** Throws if jobs are no longer accepted. */
  void requireTaking() {
    if (terms.concurrency() == 0) {
      throw new JobsException(
          ErrorCode.ENGINE_STOPPED, "this process runs no jobs: it takes none in memory");
    }
    if (refuses) {
      throw new JobsException(
          ErrorCode.ENGINE_STOPPED, "the engine of this process has stopped: it takes no jobs");
    }
  }

  /**
   * Queues a new job that already has its place. It runs after {@code delay}, when its turn comes.
   */
  void enter(MemoryJob job, Duration delay) {
    tell(job, "queued", Map.of());
    queue.enter(job, delay);
    meters.submitted(job.asked().handler().type().handler().value(), 1);
    goOn();
  }

  /**
   * Starts jobs that were just queued. They are lost if their transaction committed after the end
   * of the worker.
   */
  void goOn() {
    dispatch();
    if (over) {
      lose();
    }
  }

  /** Makes a job that is due later run now. */
  void hurry(MemoryJob job) {
    var now = clock.now();
    queue.hurry(
        job, life -> life.queued(life.attempts(), now, life.later(), life.lastError(), now));
    dispatch();
  }

  /** Queues a finished job again, for which a place has been taken. */
  boolean revive(MemoryJob job) {
    var now = clock.now();
    job.cancelled(false);
    var revived =
        queue.revive(
            job,
            life -> {
              tell(job, "queued", Map.of());
              return life.queued(0, now, life.later(), life.lastError(), now);
            });
    goOn();
    return revived;
  }

  /** Starts jobs while there are free slots. */
  void dispatch() {
    var started = true;
    while (started && works) {
      var next = queue.start(terms.concurrency(), this::begin);
      next.ifPresent(this::run);
      started = next.isPresent();
    }
  }

  private void begin(MemoryJob job) {
    var claimed = job.asked().claimed(tokens.incrementAndGet(), job.life().attempts() + 1);
    var running = RunningJob.inMemory(claimed, System.nanoTime());
    job.held(running);
    held.add(running);
    job.change(life -> life.running(clock.now()));
    tell(job, "started", Map.of());
  }

  private void run(MemoryJob job) {
    var running = job.held();
    if (running != null) {
      threads.start(
          job.asked().id(), () -> run(job, running), failure -> putOff(job, running, failure));
    }
  }

  private void run(MemoryJob job, RunningJob running) {
    try {
      ended(job, running).ifPresent(ended -> write(job, running, ended));
    } finally {
      free(running);
      dispatch();
    }
  }

  private Optional<Ended> ended(MemoryJob job, RunningJob running) {
    try {
      return attempt.run(job, running);
    } catch (Throwable e) { // Anything thrown because of a job ends only that job.
      return Optional.of(new Ended(Ending.unjudged(running.job(), e), null));
    }
  }

  private void putOff(MemoryJob job, RunningJob running, Throwable failure) {
    try {
      log.error(
          "no thread could be started for job {}, which is put off", running.job().id(), failure);
      write(job, running, new Ended(Ending.withoutThread(running.job()), null));
    } finally {
      free(running);
    }
  }

  private void free(RunningJob running) {
    try {
      held.remove(running);
    } finally {
      queue.freeSlot();
    }
  }

  private void abandon(RunningJob running) {
    queue
        .find(running.job().id())
        .flatMap(job -> attempt.abandoned(job, running).map(ended -> new Abandoned(job, ended)))
        .filter(_ -> running.takeEnd())
        .ifPresent(
            given -> {
              log.warn("the handler of job {} ignores its interrupt", running.job().id());
              write(given.job(), running, given.ended());
            });
  }

  private record Abandoned(MemoryJob job, Ended ended) {}

  private void write(MemoryJob job, RunningJob running, Ended ended) {
    count(running, ended.ending().outcome());
    var now = clock.now();
    switch (ended.ending()) {
      case Ending.Last last ->
          queue.endAttempt(
              job, running, life -> over(job, life, last.status(), last.error(), ended.output()));
      case Ending.Removed _ -> queue.endAttempt(job, running, life -> removed(job, life));
      case Ending.Again again ->
          queue.again(
              job,
              running,
              again.delay(),
              life -> {
                var availableAt = now.plus(again.delay());
                var error = Optional.of(again.error());
                tell(job, "retry_scheduled", retry(again, availableAt));
                return life.queued(
                    life.attempts(), availableAt, Reason.WAITS_FOR_RETRY, error, now);
              });
      case Ending.Later later ->
          queue.again(
              job,
              running,
              later.delay(),
              life -> {
                var availableAt = now.plus(later.delay());
                tell(job, "put_off", Map.of("retry_at", word(availableAt)));
                return life.queued(
                    life.attempts() - 1, availableAt, Reason.PUT_OFF, life.lastError(), now);
              });
    }
    endIfCancelled(job); // Cancelling may have been requested just after the attempt ended.
  }

  private Life over(
      MemoryJob job, Life life, JobStatus status, Optional<String> error, @Nullable Object output) {
    job.history().tellEnd(clock.now(), job.token(), life.attempts(), status.word(), error(error));
    return life.over(status, error, output, clock.now());
  }

  // The job is gone a moment later; a thread that still holds it sees how it ended.
  private Life removed(MemoryJob job, Life life) {
    return over(job, life, JobStatus.FAILED, Optional.of(Ending.Removed.ERROR), null);
  }

  private void count(RunningJob running, AttemptOutcome outcome) {
    var handler = running.job().handlerId();
    meters.ended(handler, outcome);
    meters.ran(handler, outcome, running.ranFor(System.nanoTime()));
  }

  /** Ends a waiting job whose end was requested while it was not waiting. */
  void endIfCancelled(MemoryJob job) {
    if (job.isCancelled() && queue.withdraw(job)) {
      endCancelled(job);
    }
  }

  boolean endCancelled(MemoryJob job) {
    return queue.end(
        job,
        life ->
            job.isDeletedAtEnd()
                ? removed(job, life)
                : over(job, life, JobStatus.CANCELLED, Optional.empty(), null));
  }

  private static Map<String, String> retry(Ending.Again again, Instant availableAt) {
    var body = new LinkedHashMap<String, String>(); // In the order of stored events.
    body.put("error", again.error());
    body.put("status", again.status().word());
    body.put("retry_at", word(availableAt));
    return body;
  }

  private static String word(Instant instant) {
    return MICROS.format(instant.atOffset(ZoneOffset.UTC));
  }

  private static Map<String, String> error(Optional<String> error) {
    return error.map(text -> Map.of("error", text)).orElse(Map.of());
  }

  /** Adds a fact to a job's history. */
  void tell(MemoryJob job, String kind, Map<String, ?> body) {
    job.history().tell(clock.now(), job.token(), job.life().attempts(), kind, body);
  }

  /** Notifies a running job that it must end. Its history records the first request. */
  void cancel(MemoryJob job) {
    var running = job.held();
    if (running != null) {
      job.doAs(running, () -> cancel(job, running));
    }
  }

  private void cancel(MemoryJob job, RunningJob running) {
    if (running.stopped().isEmpty()) {
      tell(job, "cancel_requested", Map.of());
    }
    running.stop(
        job.isDeletedAtEnd() ? StopReason.REMOVED : StopReason.CANCELLED, System.nanoTime());
  }

  /**
   * Refuses new jobs, lets running ones end within {@code grace}, and interrupts the rest, which
   * are lost. An interrupt ends the grace period.
   */
  public void stop(Duration grace) {
    refuse();
    var deadline = System.nanoTime() + grace.toNanos();
    Pauses.awaitUntil(
        deadline, () -> queue.isQuietFor(Duration.ofNanos(deadline - System.nanoTime())));
    works = false;
    held.all().forEach(running -> running.stop(StopReason.RELEASED, System.nanoTime()));
    Pauses.awaitUntil(System.nanoTime() + LAST_WORDS.toNanos(), () -> held.all().isEmpty());
    over = true;
    lose();
    if (keeping != null) {
      keeping.interrupt();
    }
  }

  private void lose() {
    var error = Optional.of("lost: the process stopped before the job ended");
    var lost =
        queue.unfinished().stream()
            .filter(job -> queue.end(job, life -> over(job, life, JobStatus.FAILED, error, null)))
            .count();
    if (lost > 0) {
      log.warn("{} in-memory jobs did not finish before the process stopped, and are lost", lost);
    }
  }
}
