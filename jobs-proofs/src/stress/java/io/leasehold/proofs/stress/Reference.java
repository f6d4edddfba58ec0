package io.leasehold.proofs.stress;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Does again and again what a worker does to interrupt its handlers, and nothing else: a thread
 * wakes when its time has come, and wakes many virtual threads. How late the last of them is says
 * what the machine could do at that moment.
 */
final class Reference implements Runnable {

  /** How a line of it begins; then when it was due, and when the last thread had run. */
  static final String LINE = "reference ";

  private static final Duration EVERY = Duration.ofMillis(25);
  private static final Duration WORTH_A_LINE = Duration.ofMillis(10);

  private final int threads;

  /** Wakes {@code threads} threads each time. */
  Reference(int threads) {
    this.threads = threads;
  }

  /** Starts it on a thread of its own. */
  void start() {
    Thread.ofPlatform().daemon().name("reference").start(this);
  }

  @Override
  public void run() {
    try {
      while (true) {
        round();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void round() throws InterruptedException {
    var interrupted = new CountDownLatch(threads);
    var waiting = waiting(interrupted);
    var due = System.currentTimeMillis() + EVERY.toMillis();
    Thread.sleep(EVERY);
    waiting.forEach(Thread::interrupt);
    interrupted.await();
    var last = System.currentTimeMillis();
    if (last - due >= WORTH_A_LINE.toMillis()) {
      System.out.printf("%s%d %d%n", LINE, due, last);
    }
  }

  private List<Thread> waiting(CountDownLatch interrupted) throws InterruptedException {
    var asleep = new CountDownLatch(threads);
    var waiting = new ArrayList<Thread>();
    for (int i = 0; i < threads; i++) {
      waiting.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    asleep.countDown();
                    sleepUntilInterrupted();
                    interrupted.countDown();
                  }));
    }
    asleep.await();
    return waiting;
  }

  private static void sleepUntilInterrupted() {
    try {
      TimeUnit.DAYS.sleep(1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
