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
 * Sends hints to other processes, in a transaction of its own. It never uses a caller's
 * transaction, whose commit would then wait for the commits of others. One thread sends for all
 * queues, and exists only while it is needed. Safe to share.
 */
final class TellOthers {

  static final String CHANNEL = "leasehold_wake";

  private static final Logger log = LoggerFactory.getLogger(TellOthers.class);

  /** Limits hints to 200 a second and queue, and delays the last of them by no more than this. */
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

  /** Sends the topic soon, from another thread. */
  void tell(String topic) {
    if (areOn) {
      topics.add(topic, System.nanoTime()).ifPresent(this::tellIn);
    }
  }

  private void tellIn(long nanos) {
    var _ = thread.schedule(this::tellNow, nanos, TimeUnit.NANOSECONDS);
  }

  /** Sends all pending topics now. */
  void tellNow() {
    var waiting = topics.take(System.nanoTime());
    if (waiting.isEmpty()) {
      return;
    }
    try {
      SendHints.send(transactions, CHANNEL, Hint.inWords(sender, waiting));
    } catch (JobsException | IllegalStateException e) {
      // The other processes will poll soon. An IllegalStateException means that the database was
      // closed in the meantime.
      log.debug("notification of other workers failed, they poll: {}: {}", waiting, e.getMessage());
    }
  }

  boolean isOwn(Hint hint) {
    return hint.sender().equals(sender);
  }
}
