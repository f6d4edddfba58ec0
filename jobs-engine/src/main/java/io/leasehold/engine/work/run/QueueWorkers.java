package io.leasehold.engine.work.run;

import io.leasehold.engine.threads.Lasting;
import io.leasehold.engine.threads.Pauses;
import io.leasehold.engine.work.attempt.RunningJob;
import io.leasehold.engine.work.claim.OpenLanes;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.random.RandomGenerator;

/** Claims the jobs of all queues of this process, each queue in its own thread. */
final class QueueWorkers {

  private final QueueSlots slots;
  private final Leases leases;
  private final RunJobs run;
  private final Map<String, QueueWorker> queues = new TreeMap<>();
  private final List<Thread> threads = new CopyOnWriteArrayList<>();

  @Inject
  QueueWorkers(
      Terms terms,
      OpenLanes lanes,
      QueueSlots slots,
      Leases leases,
      RunJobs run,
      RandomGenerator random) {
    this.slots = slots;
    this.leases = leases;
    this.run = run;
    slots
        .byQueue()
        .forEach(
            (queue, slotsOfQueue) ->
                queues.put(
                    queue,
                    new QueueWorker(
                        lanes.of(queue, terms.lease()),
                        slotsOfQueue,
                        leases,
                        () -> Pauses.shortened(terms.pollEvery(), 0.5, random))));
  }

  void start() {
    queues.forEach((queue, worker) -> threads.add(Lasting.start("claim " + queue, worker)));
  }

  void stop() {
    queues.values().forEach(QueueWorker::stop);
  }

  boolean areAlive() {
    return threads.stream().allMatch(Thread::isAlive);
  }

  boolean haveEnded() {
    return threads.stream().noneMatch(Thread::isAlive);
  }

  boolean areIdle() {
    return slots.areAllFree();
  }

  int running() {
    return slots.busy();
  }

  /** Signals that slots of any queue may be free again. */
  void ringAll() {
    queues.values().forEach(QueueWorker::ring);
  }

  /** Signals that there may be new jobs in a queue. */
  void ring(String queue) {
    var worker = queues.get(queue);
    if (worker != null) {
      worker.ring();
    }
  }

  /**
   * Signals that the claimable jobs of a queue have changed. Returns whether this process works on
   * the queue.
   */
  boolean lookAgain(String queue) {
    var worker = queues.get(queue);
    if (worker != null) {
      worker.lookAgain();
    }
    return worker != null;
  }

  /** Gives back the jobs that wait for a slot and were claimed before {@code before}. */
  void giveBackWaiting(long before) {
    var waiting = slots.takeWaitingSince(before);
    leases.giveBack(waiting.stream().map(RunningJob::lease).toList(), false);
    run.givenBack(waiting);
  }
}
