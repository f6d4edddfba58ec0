package io.leasehold.engine.signal.wakeup;

import io.leasehold.db.Notifications;
import io.leasehold.db.Transactions;
import io.leasehold.engine.signal.watch.SendHints;
import io.leasehold.engine.signal.watch.SparseThread;
import io.leasehold.jobs.JobsException;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells other processes where to look, in a transaction of its own: never in a caller's, whose
 * commit would wait for others'. One thread sends for all queues; it is there while it is needed.
 * Safe to share.
 */
final class TellOthers {

  static final String CHANNEL = "leasehold_wake";

  private static final Logger log = LoggerFactory.getLogger(TellOthers.class);

  /** At most 200 hints a second and queue, and the last of them is no later than this. */
  private static final Duration WINDOW = Duration.ofMillis(5);

  private final Transactions transactions;
  private final boolean areOn;
  private final String sender = Hint.newSender();
  private final Coalesced topics = new Coalesced(WINDOW);
  private final ScheduledThreadPoolExecutor thread;

  @Inject
  TellOthers(Transactions transactions, Notifications notifications) {
    this.transactions = transactions;
    this.areOn = notifications.areOn();
    this.thread = SparseThread.named("leasehold-tell");
  }

  /** Has it told soon, by another thread. */
  void tell(String topic) {
    if (areOn) {
      topics.add(topic, System.nanoTime()).ifPresent(this::tellIn);
    }
  }

  private void tellIn(long nanos) {
    var _ = thread.schedule(this::tellNow, nanos, TimeUnit.NANOSECONDS);
  }

  /** Tells what waits. */
  void tellNow() {
    var waiting = topics.take(System.nanoTime());
    if (waiting.isEmpty()) {
      return;
    }
    try {
      SendHints.send(transactions, CHANNEL, Hint.inWords(sender, waiting));
    } catch (JobsException | IllegalStateException e) {
      // They look for themselves soon. The state is a database that was closed meanwhile.
      log.debug("other processes are not told of {}: {}", waiting, e.getMessage());
    }
  }

  boolean isOwn(Hint hint) {
    return hint.sender().equals(sender);
  }
}
