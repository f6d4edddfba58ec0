package io.leasehold.db.listen;

import io.leasehold.db.Notifications.Hearer;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Keeps what it hears, and counts the connections. */
final class RecordingHearer implements Hearer {

  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
  private final AtomicInteger connections = new AtomicInteger();

  @Override
  public void heard(String said) {
    heard.add(said);
  }

  @Override
  public void connected() {
    connections.incrementAndGet();
  }

  int connections() {
    return connections.get();
  }

  /** What was heard next, or "nothing" if that took too long. */
  String next(Duration most) throws InterruptedException {
    var next = heard.poll(most.toMillis(), TimeUnit.MILLISECONDS);
    return next == null ? "nothing" : next;
  }
}
