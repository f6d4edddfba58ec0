package io.leasehold.rest.server;

import io.leasehold.rest.http.Periodic;
import jakarta.inject.Inject;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs all periodic checks while the server runs. */
final class Looks {

  private static final Logger log = LoggerFactory.getLogger(Looks.class);

  private final Set<Periodic> periodic;
  private final CountDownLatch stopped = new CountDownLatch(1);

  @Inject
  Looks(Set<Periodic> periodic) {
    this.periodic = Set.copyOf(periodic);
  }

  void start() {
    periodic.forEach(check -> Thread.ofVirtual().name("look").start(() -> lookAfter(check)));
  }

  /** Ends long-lived responses. */
  void stopping() {
    periodic.forEach(Periodic::stopping);
  }

  void stop() {
    stopped.countDown();
  }

  private void lookAfter(Periodic check) {
    try {
      while (!stopped.await(check.every().toNanos(), TimeUnit.NANOSECONDS)) {
        look(check);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void look(Periodic check) {
    try {
      check.look();
    } catch (RuntimeException e) {
      log.error("a periodic check of the server failed, retrying", e);
    }
  }
}
