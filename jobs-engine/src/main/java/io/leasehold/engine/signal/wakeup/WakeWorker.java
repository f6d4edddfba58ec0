package io.leasehold.engine.signal.wakeup;

import io.leasehold.db.Notifications;
import io.leasehold.engine.signal.WakeUps;
import io.leasehold.engine.time.delayed.Alarm;
import io.leasehold.engine.work.run.Terms;
import io.leasehold.engine.work.run.Worker;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Set;

/**
 * Wakes this process's worker at once and other workers through hints, and listens to the hints of
 * other processes.
 */
public final class WakeWorker implements WakeUps {

  private final Worker worker;
  private final Set<String> queues;
  private final SendNotifications others;
  private final Notifications notifications;
  private final Alarm alarm;

  @Inject
  WakeWorker(
      Worker worker,
      Terms terms,
      SendNotifications others,
      Notifications notifications,
      Alarm alarm) {
    this.worker = worker;
    this.queues = terms.concurrencyOf().keySet();
    this.others = others;
    this.notifications = notifications;
    this.alarm = alarm;
    notifications.hear(Hint.CHANNEL, new Others());
  }

  @Override
  public void jobsIn(String queue) {
    worker.ring(queue);
    others.send(new Hint(queue));
  }

  @Override
  public void jobsDueIn(Duration delay) {
    alarm.wakeIn(delay);
  }

  @Override
  public void cancellations() {
    worker.lookForCancelled();
    others.send(Hint.CANCELLATIONS);
  }

  /**
   * Announces that a change, such as a pause or resume, affects what may be claimed from a queue.
   */
  public void queueChanged(String queue) {
    worker.lookAgain(queue);
    others.send(Hint.changed(queue));
  }

  /** Starts to listen. */
  public void start() {
    notifications.start();
  }

  /** Stops listening, and makes other workers check for the jobs that this worker released. */
  public void stop() {
    notifications.close();
    queues.forEach(queue -> others.send(new Hint(queue)));
    others.sendNow();
  }

  private final class Others implements Notifications.Hearer {

    @Override
    public void heard(String said) {
      others.textOfOther(said).map(Hint::of).ifPresent(hints -> hints.forEach(this::look));
    }

    private void look(Hint hint) {
      if (hint.equals(Hint.CANCELLATIONS)) {
        worker.lookForCancelled();
      } else {
        hint.changedQueue().ifPresentOrElse(worker::lookAgain, () -> worker.ring(hint.topic()));
      }
    }

    @Override
    public void connected() {
      queues.forEach(worker::ring);
      worker.lookForCancelled();
    }
  }
}
