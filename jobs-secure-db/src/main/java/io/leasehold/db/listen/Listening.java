package io.leasehold.db.listen;

import io.leasehold.db.DbConfig;
import io.leasehold.db.Notifications.Hearer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens until it is closed: connects, subscribes, passes on notifications, and connects again
 * when the connection is lost.
 *
 * <p>A connection can die without notice: its socket then stays silent forever. So after a while of
 * silence, a query is sent, and the server must answer soon.
 */
final class Listening implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(Listening.class);

  private static final Duration CHECK_AFTER = Duration.ofSeconds(2);
  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(1);
  private static final long NEVER = 0;

  private final DbConfig config;
  private final Map<String, Hearer> hearers;
  private final Backoff backoff;
  private final Thread thread;

  private volatile boolean closed;
  private volatile long lastSignAt = NEVER;
  private volatile @Nullable ListeningConnection connection;
  private boolean wasLost;

  private Listening(DbConfig config, Map<String, Hearer> hearers, Backoff backoff) {
    this.config = config;
    this.hearers = Map.copyOf(hearers);
    this.backoff = backoff;
    // No virtual thread, since handlers that keep the processors busy would delay it.
    this.thread = Thread.ofPlatform().daemon().name("leasehold-listen").unstarted(this);
  }

  static Listening start(DbConfig config, Map<String, Hearer> hearers, Backoff backoff) {
    var listening = new Listening(config, hearers, backoff);
    listening.thread.start();
    return listening;
  }

  Optional<Duration> silentFor() {
    var last = lastSignAt;
    return last == NEVER
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(Math.max(0, System.nanoTime() - last)));
  }

  /** Ends the thread. Called from a hearer, it does not wait for the thread's end. */
  void close() {
    closed = true;
    thread.interrupt();
    var open = connection;
    if (open != null) {
      open.abort();
    }
    try {
      if (!Thread.currentThread().equals(thread)) {
        thread.join(CLOSE_WITHIN);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void run() {
    try {
      while (!closed) {
        connectAndHear();
        if (!closed) {
          Thread.sleep(backoff.next());
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // Closed.
    }
  }

  // It continues after any error, since the end of a listener would go unnoticed.
  private void connectAndHear() {
    try (var open = ListeningConnection.open(config)) {
      connection = open;
      open.subscribe(hearers.keySet());
      sign();
      connected();
      while (!closed) {
        hear(open);
      }
    } catch (SQLException | RuntimeException | OutOfMemoryError e) {
      lost(e);
    } finally {
      connection = null;
    }
  }

  private void hear(ListeningConnection open) throws SQLException {
    var heard = open.hear();
    for (var notification : heard) {
      pass(notification);
    }
    if (heard.isEmpty()) {
      if (System.nanoTime() - lastSignAt < CHECK_AFTER.toNanos()) {
        return;
      }
      open.check(hearers.keySet());
    }
    sign();
    backoff.reset();
  }

  private void sign() {
    var now = System.nanoTime();
    lastSignAt = now == NEVER ? 1 : now;
  }

  private void connected() {
    if (wasLost) {
      log.info("notifications are received again");
      wasLost = false;
    }
    hearers.values().forEach(hearer -> tell(hearer::connected));
  }

  private void pass(PGNotification notification) {
    var hearer = hearers.get(notification.getName());
    if (hearer != null) {
      tell(() -> hearer.heard(notification.getParameter()));
    }
  }

  private static void tell(Runnable telling) {
    try {
      telling.run();
    } catch (RuntimeException e) {
      log.error("a notification could not be passed on", e);
    }
  }

  private void lost(Throwable e) {
    if (closed) {
      return;
    }
    if (wasLost) {
      log.debug("notifications still cannot be received", e);
    } else {
      log.warn("notifications cannot be received, polling for new work: {}", text(e));
      wasLost = true;
    }
  }

  private static String text(Throwable e) {
    return String.valueOf(e.getMessage());
  }
}
