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
 * Tells other processes about watched jobs, in a transaction of its own. What comes first is told
 * at once, what comes soon after it together. One thread sends; it is there while it is needed.
 * Safe to share.
 */
final class TellWatchers {

  static final String CHANNEL = "leasehold_watch";

  private static final Logger log = LoggerFactory.getLogger(TellWatchers.class);

  /** At most 200 statements a second, and no hint is later than this. */
  private static final Duration WINDOW = Duration.ofMillis(5);

  /** Hints in one statement, of eight kilobytes each. */
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

  /** Has it told soon, by another thread. */
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

  /** Tells what waits. */
  void tellNow() {
    var hints = take();
    try {
      for (int from = 0; from < hints.size(); from += AT_ONCE) {
        var some = hints.subList(from, Math.min(hints.size(), from + AT_ONCE));
        SendHints.send(transactions, CHANNEL, some);
      }
    } catch (JobsException | IllegalStateException e) {
      // Whoever watches looks now and then. The state is a database that was closed meanwhile.
      log.debug("other processes are not told of watched jobs: {}", e.getMessage());
    }
  }
}
