package io.leasehold.engine.signal.watch;

import io.leasehold.db.Notifications;
import io.leasehold.db.Transactions;
import io.leasehold.engine.signal.watch.WatchHint.About;
import io.leasehold.jobs.JobsException;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies other processes about watched jobs, in a transaction of its own. The first message is
 * sent at once, and those that follow soon after are sent together. One thread sends, and exists
 * only while it is needed. Safe to share.
 */
final class TellWatchers {

  static final String CHANNEL = "leasehold_watch";

  private static final Logger log = LoggerFactory.getLogger(TellWatchers.class);

  /** Limits statements to 200 a second, and delays a hint by no more than this. */
  private static final Duration WINDOW = Duration.ofMillis(5);

  /** The number of hints in one statement, of eight kilobytes each. */
  private static final int AT_ONCE = 100;

  private final Transactions transactions;
  private final boolean areOn;
  private final String sender = UUID.randomUUID().toString();
  private final ScheduledThreadPoolExecutor thread;

  // Guarded by this.
  private final Map<About, Set<Long>> waiting = new EnumMap<>(About.class);
  private boolean timed;
  private long saidAt = System.nanoTime() - WINDOW.toNanos();

  @Inject
  TellWatchers(Transactions transactions, Notifications notifications) {
    this.transactions = transactions;
    this.areOn = notifications.areOn();
    this.thread = SparseThread.named("leasehold-tell-watchers");
  }

  boolean isOwn(WatchHint hint) {
    return hint.sender().equals(sender);
  }

  /** Sends the message soon, from another thread. */
  synchronized void tell(About about, Collection<Long> jobs) {
    if (!areOn) {
      return;
    }
    waiting.computeIfAbsent(about, _ -> new LinkedHashSet<>()).addAll(jobs);
    if (!timed) {
      var left = saidAt + WINDOW.toNanos() - System.nanoTime();
      var _ = thread.schedule(this::tellNow, left, TimeUnit.NANOSECONDS);
      timed = true;
    }
  }

  private synchronized List<String> take() {
    timed = false;
    saidAt = System.nanoTime();
    var hints = new ArrayList<String>();
    waiting.forEach((about, jobs) -> hints.addAll(WatchHint.inWords(sender, about, jobs)));
    waiting.clear();
    return hints;
  }

  /** Sends all pending messages now. */
  void tellNow() {
    var hints = take();
    try {
      for (int from = 0; from < hints.size(); from += AT_ONCE) {
        var some = hints.subList(from, Math.min(hints.size(), from + AT_ONCE));
        SendHints.send(transactions, CHANNEL, some);
      }
    } catch (JobsException | IllegalStateException e) {
      // Watchers poll at intervals anyway. An IllegalStateException means that the database was
      log.debug(
          "notification of job watchers in other processes failed, they poll: {}", e.getMessage());
    }
  }
}
