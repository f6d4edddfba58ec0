package io.leasehold.engine.work.run;

import io.leasehold.db.Transactions;
import io.leasehold.engine.kernel.HeldLease;
import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.engine.log.PeriodicTaskLog;
import io.leasehold.engine.metrics.JobMeters;
import io.leasehold.engine.metrics.SignsOfLife;
import io.leasehold.engine.signal.JobChanges;
import io.leasehold.engine.threads.Lasting;
import io.leasehold.engine.threads.Pauses;
import io.leasehold.engine.threads.PeriodicTask;
import io.leasehold.engine.threads.SpareCarriers;
import io.leasehold.engine.time.delayed.Alarm;
import io.leasehold.engine.work.attempt.Attempt;
import io.leasehold.engine.work.attempt.RunningJob;
import io.leasehold.engine.work.claim.Claimant;
import io.leasehold.engine.work.claim.Lanes;
import io.leasehold.engine.work.finish.EndingWriter;
import io.leasehold.engine.work.handlers.HandlerRegistry;
import io.leasehold.engine.work.lease.FindCancelled;
import io.leasehold.engine.work.lease.KeepLeases;
import io.leasehold.engine.work.lease.MarkBegun;
import io.leasehold.engine.work.lease.ReleaseJobs;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.StopReason;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Works on the queues of this process: claims and runs jobs, renews their leases, and has their
 * endings written. Started and stopped once.
 */
public final class Worker {

  private static final Logger log = LoggerFactory.getLogger(Worker.class);

  private static final Duration LOOK_EVERY = Duration.ofMillis(25);
  private static final Duration MARK_EVERY = Duration.ofMillis(100);
  private static final Duration LOOK_FOR_CANCELLED_EVERY = Duration.ofSeconds(1);
  private static final Duration SPARE_EVERY = Duration.ofMillis(250);
  private static final Duration WAITING_MOST = Duration.ofSeconds(1);
  private static final Duration LAST_WORDS = Duration.ofMillis(500);

  private final WorkerId id;
  private final Terms terms;
  private final Transactions transactions;
  private final EndingWriter finisher;
  private final FindCancelled findCancelled;
  private final MarkLongJobs mark;
  private final RandomGenerator random;
  private final JobMeters meters;
  private final SignsOfLife signs;
  private final JobChanges changes;

  private final RunningJobs held = new RunningJobs();
  private final SpareCarriers spare = new SpareCarriers();
  private final Leases leases;
  private final RunJobs run;
  private final WatchJobs watch;
  private final Map<String, QueueWorker> queues = new TreeMap<>();
  private final PeriodicTask cancelled;
  private final Optional<DirectRuns> direct;
  private volatile boolean givesBackAll;
  private final List<Thread> claiming = new CopyOnWriteArrayList<>();
  private final List<Thread> keeping = new CopyOnWriteArrayList<>();
  private volatile Phase phase = Phase.NEW;

  @Inject
  Worker(
      WorkerId id,
      Terms terms,
      Transactions transactions,
      HandlerRegistry handlers,
      Attempt attempt,
      Parts parts) {
    this.id = id;
    this.terms = terms;
    this.transactions = transactions;
    this.finisher = parts.finisher();
    this.findCancelled = parts.findCancelled();
    this.mark = new MarkLongJobs(held, parts.markBegun(), parts.changes());
    this.random = parts.random();
    this.meters = parts.meters();
    this.signs = parts.signs();
    this.changes = parts.changes();
    this.leases = new Leases(held, parts.keepLeases(), terms.lease(), meters, signs, changes);
    this.run = new RunJobs(handlers, attempt, finisher, held, parts.alarm(), meters);
    this.watch = new WatchJobs(held, terms.margin(), terms.cancelGrace(), run::abandon);
    var shared =
        terms.directConcurrency().stream()
            .mapToObj(most -> Slots.shared(most, run::start))
            .findAny();
    this.direct =
        shared.map(slots -> new DirectRuns(id, terms, handlers, slots, leases, this::release));
    terms
        .concurrencyOf()
        .forEach(
            (queue, concurrency) -> {
              var slots = shared.orElseGet(() -> new Slots(concurrency, run::start));
              queues.put(queue, queueWorker(queue, slots, handlers, transactions));
            });
    meters.stuck(run::stuck);
    this.cancelled =
        new PeriodicTask(
            "the search for cancelled jobs", LOOK_FOR_CANCELLED_EVERY, random, this::look);
    finisher.afterEachBatch(() -> queues.values().forEach(QueueWorker::ring));
  }

  /** Further parts of a worker. */
  record Parts(
      EndingWriter finisher,
      KeepLeases keepLeases,
      FindCancelled findCancelled,
      MarkBegun markBegun,
      Alarm alarm,
      RandomGenerator random,
      JobMeters meters,
      SignsOfLife signs,
      JobChanges changes) {

    @Inject
    Parts {}
  }

  private QueueWorker queueWorker(
      String queue, Slots slots, HandlerRegistry handlers, Transactions transactions) {
    var claimant = new Claimant(id, queue, terms.lease(), handlers.failing(), handlers.adopting());
    meters.slots(queue, slots.most(), slots::busy);
    return new QueueWorker(
        queue,
        new Lanes(transactions, claimant, meters.claims(queue)),
        slots,
        leases,
        changes,
        new QueueWorker.Polling(terms.pollEvery(), random, signs));
  }

  /** Returns the runner for direct mode, which runs jobs in the process that submits them. */
  public Optional<DirectRuns> direct() {
    return direct;
  }

  /** Starts to claim and run jobs. */
  public void start() {
    keep("finish", finisher);
    keep(
        "renew",
        new PeriodicTask("the renewal of leases", terms.renewEvery(), random, leases::renew));
    keep("watch", new PeriodicTask("the check of running jobs", LOOK_EVERY, random, watch::look));
    keep("mark", new PeriodicTask("the marking of long jobs", MARK_EVERY, random, mark::mark));
    keep("cancel", cancelled);
    keep(
        "spare",
        new PeriodicTask("the check for carrier threads", SPARE_EVERY, random, spare::look));
    queues.forEach((queue, worker) -> claiming.add(Lasting.start("claim " + queue, worker)));
    phase = Phase.WORKING;
    direct.ifPresent(its -> its.work(true));
  }

  private void keep(String name, Runnable work) {
    keeping.add(Lasting.start(name, work));
  }

  /** The state of a worker. */
  public enum Phase {
    /** Not started yet. */
    NEW,
    /** Claims and runs jobs. */
    WORKING,
    /** Claims no more jobs, because it could not renew its leases. */
    DOUBTFUL,
    /** One of its threads has ended unexpectedly. */
    BROKEN,
    /** Stopped. */
    STOPPED
  }

  /** Returns the current state. */
  public Phase phase() {
    var its = phase;
    if (its != Phase.WORKING) {
      return its;
    }
    if (!Stream.concat(claiming.stream(), keeping.stream()).allMatch(Thread::isAlive)) {
      return phase == Phase.WORKING ? Phase.BROKEN : phase;
    }
    return leases.areDoubtful() ? Phase.DOUBTFUL : Phase.WORKING;
  }

  /** Returns the number of slots taken by handlers that still run after an interrupt. */
  public int stuck() {
    return run.stuck();
  }

  /**
   * Returns the number of stored jobs that are running. In direct mode all queues share their
   * slots.
   */
  public int running() {
    return queues.values().stream().map(QueueWorker::slots).distinct().mapToInt(Slots::busy).sum();
  }

  /** Signals that there may be new jobs in a queue. */
  public void ring(String queue) {
    var worker = queues.get(queue);
    if (worker != null) {
      worker.ring();
    }
  }

  /**
   * Signals that the claimable jobs of a queue have changed. Jobs that wait here for a slot are
   * given back, because they may belong to what has just been paused.
   */
  public void lookAgain(String queue) {
    var worker = queues.get(queue);
    if (worker != null) {
      worker.lookAgain();
      givesBackAll = true;
      cancelled.hurry();
    }
  }

  /** Signals that a cancellation was requested. */
  public void lookForCancelled() {
    cancelled.hurry();
  }

  // Stops jobs whose cancellation was requested. Gives back jobs that have waited here for too long
  // or were taken by a claim whose answer was lost.
  private void look() {
    leases.giveBackUnanswered();
    if (held.all().isEmpty()) {
      return;
    }
    findCancelled
        .find()
        .forEach(
            (id, thenDelete) -> {
              var why = thenDelete ? StopReason.REMOVED : StopReason.CANCELLED;
              held.of(id).forEach(job -> job.cancel(why, System.nanoTime()));
            });
    var waitingMost = givesBackAll ? Duration.ZERO : WAITING_MOST;
    givesBackAll = false;
    giveBackWaiting(System.nanoTime() - waitingMost.toNanos());
  }

  /**
   * Stops claiming, waits up to {@code grace} for running jobs, interrupts the others, and gives
   * back the unfinished ones. Interrupting the calling thread ends the wait.
   */
  public void stop(Duration grace) {
    phase = Phase.STOPPED;
    var deadline = System.nanoTime() + grace.toNanos();
    direct.ifPresent(its -> its.work(false));
    queues.values().forEach(QueueWorker::stop);
    Pauses.awaitUntil(deadline, () -> claiming.stream().noneMatch(Thread::isAlive));
    giveBackWaiting(System.nanoTime());
    Pauses.awaitUntil(deadline, this::isIdle);
    held.all().forEach(job -> job.stop(StopReason.RELEASED, System.nanoTime()));
    Pauses.awaitUntil(System.nanoTime() + LAST_WORDS.toNanos(), this::isIdle);
    giveBack(
        held.all().stream().filter(RunningJob::mayGoOnElsewhere).map(RunningJob::lease).toList(),
        true);
    keeping.forEach(Thread::interrupt);
  }

  private boolean isIdle() {
    return queues.values().stream().allMatch(QueueWorker::isIdle);
  }

  private void giveBackWaiting(long before) {
    var waiting =
        queues.values().stream()
            .flatMap(queue -> queue.slots().takeWaitingSince(before).stream())
            .toList();
    giveBack(waiting.stream().map(RunningJob::lease).toList(), false);
    waiting.forEach(held::remove);
    run.givenBack(waiting);
  }

  private void release(HeldLease lease) {
    giveBack(List.of(lease), false);
  }

  private void giveBack(Collection<HeldLease> back, boolean begun) {
    if (back.isEmpty()) {
      return;
    }
    try {
      transactions.asEngine(tx -> ReleaseJobs.release(tx, id, back, begun));
      changes.changed(back, HeldLease::id);
    } catch (JobsException e) {
      log.warn(
          "{} jobs could not be given back, their leases will expire: {}",
          back.size(),
          PeriodicTaskLog.reason(e));
    }
  }
}
