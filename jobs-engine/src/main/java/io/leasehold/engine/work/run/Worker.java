package io.leasehold.engine.work.run;

import io.leasehold.engine.threads.Lasting;
import io.leasehold.engine.threads.Pauses;
import io.leasehold.engine.threads.PeriodicTask;
import io.leasehold.engine.threads.SpareCarriers;
import io.leasehold.engine.work.finish.EndingWriter;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.random.RandomGenerator;

/**
 * Works on the queues of this process: claims and runs jobs, renews their leases, and has their
 * endings written. Started and stopped once.
 */
public final class Worker {

  private static final Duration LOOK_EVERY = Duration.ofMillis(25);
  private static final Duration MARK_EVERY = Duration.ofMillis(100);
  private static final Duration LOOK_FOR_CANCELLED_EVERY = Duration.ofSeconds(1);
  private static final Duration SPARE_EVERY = Duration.ofMillis(250);
  private static final Duration WAITING_MOST = Duration.ofSeconds(1);
  private static final Duration LAST_WORDS = Duration.ofMillis(500);

  private final RandomGenerator random;
  private final EndingWriter finisher;
  private final Leases leases;
  private final QueueWorkers queues;
  private final SuperviseJobs supervise;
  private final DirectRuns direct;

  private final SpareCarriers spare = new SpareCarriers();
  private final PeriodicTask cancelled;
  private final List<Thread> keeping = new CopyOnWriteArrayList<>();
  private volatile boolean givesBackAll;
  private volatile Phase phase = Phase.NEW;

  @Inject
  Worker(
      RandomGenerator random,
      EndingWriter finisher,
      Leases leases,
      QueueWorkers queues,
      SuperviseJobs supervise,
      DirectRuns direct) {
    this.random = random;
    this.finisher = finisher;
    this.leases = leases;
    this.queues = queues;
    this.supervise = supervise;
    this.direct = direct;
    this.cancelled =
        periodic("the search for cancelled jobs", LOOK_FOR_CANCELLED_EVERY, this::look);
    finisher.afterEachBatch(queues::ringAll);
  }

  private PeriodicTask periodic(String name, Duration every, Runnable work) {
    return new PeriodicTask(name, every, random, work);
  }

  /** Starts to claim and run jobs. */
  public void start() {
    keep("finish", finisher);
    keep("renew", periodic("the renewal of leases", leases.renewEvery(), leases::renew));
    keep("watch", periodic("the check of running jobs", LOOK_EVERY, supervise::look));
    keep("mark", periodic("the marking of long jobs", MARK_EVERY, supervise::markLong));
    keep("cancel", cancelled);
    keep("spare", periodic("the check for carrier threads", SPARE_EVERY, spare::look));
    queues.start();
    phase = Phase.WORKING;
    direct.work(true);
  }

  private void keep(String name, Runnable work) {
    keeping.add(Lasting.start(name, work));
  }

  // DOUBTFUL and BROKEN are not stored: they are read off the leases and the threads.
  //
  //         start()             a renewal failed
  //   NEW ----------> WORKING <==================> DOUBTFUL
  //    |                 |      one succeeded         |
  //    |                 +----------+-----------------+
  //    |                 |          | a thread ended
  //    | stop()          | stop()   v
  //    |                 |       BROKEN
  //    v                 v          | stop()
  //   STOPPED <---------------------+

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
    var current = phase;
    if (current != Phase.WORKING) {
      return current;
    }
    if (!queues.areAlive() || !keeping.stream().allMatch(Thread::isAlive)) {
      return phase == Phase.WORKING ? Phase.BROKEN : phase;
    }
    return leases.areDoubtful() ? Phase.DOUBTFUL : Phase.WORKING;
  }

  /** Returns the number of slots taken by handlers that still run after an interrupt. */
  public int stuck() {
    return supervise.stuck();
  }

  /**
   * Returns the number of stored jobs that are running. In direct mode all queues share their
   * slots.
   */
  public int running() {
    return queues.running();
  }

  /** Signals that there may be new jobs in a queue. */
  public void ring(String queue) {
    queues.ring(queue);
  }

  /**
   * Signals that the claimable jobs of a queue have changed. Jobs that wait here for a slot are
   * given back, because they may belong to what has just been paused.
   */
  public void lookAgain(String queue) {
    if (queues.lookAgain(queue)) {
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
    if (supervise.hasNone()) {
      return;
    }
    supervise.stopCancelled();
    var waitingMost = givesBackAll ? Duration.ZERO : WAITING_MOST;
    givesBackAll = false;
    queues.giveBackWaiting(System.nanoTime() - waitingMost.toNanos());
  }

  /**
   * Stops claiming, waits up to {@code grace} for running jobs, interrupts the others, and gives
   * back the unfinished ones. Interrupting the calling thread ends the wait.
   */
  public void stop(Duration grace) {
    phase = Phase.STOPPED;
    var deadline = System.nanoTime() + grace.toNanos();
    direct.work(false);
    queues.stop();
    Pauses.awaitUntil(deadline, queues::haveEnded);
    queues.giveBackWaiting(System.nanoTime());
    Pauses.awaitUntil(deadline, queues::areIdle);
    supervise.releaseAll();
    Pauses.awaitUntil(System.nanoTime() + LAST_WORDS.toNanos(), queues::areIdle);
    leases.giveBack(supervise.unfinished(), true);
    keeping.forEach(Thread::interrupt);
  }
}
