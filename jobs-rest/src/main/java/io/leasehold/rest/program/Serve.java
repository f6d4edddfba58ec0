package io.leasehold.rest.program;

import io.leasehold.rest.demo.DemoJobs;
import io.leasehold.rest.demo.DemoTenant;
import io.leasehold.rest.issuer.DevelopmentIssuer;
import io.leasehold.rest.program.database.Database;
import io.leasehold.rest.program.database.Migrate;
import java.io.PrintWriter;
import java.util.EnumMap;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves from a migrated and verified database until the process is told to stop. */
public final class Serve {

  private static final Logger log = LoggerFactory.getLogger(Serve.class);
  private static final int START_LIMIT_SECONDS = 10;
  private static final int CLEAN = 0;
  private static final int NOT_CLEAN = 1;

  private final AllSettings settings;
  private final Optional<ReadyFile> readyFile;
  private final PrintWriter out;
  private final ReentrantLock starting = new ReentrantLock();
  private final AtomicReference<@Nullable Database> database = new AtomicReference<>();
  private final AtomicReference<@Nullable Service> service = new AtomicReference<>();

  /** Keeps the process from exiting after a failure until everything is stopped. */
  private final CountDownLatch stopped = new CountDownLatch(1);

  /** Suppresses further output about the start. Guarded by this. */
  private boolean ending;

  /**
   * Prepares to serve.
   *
   * @param settings the settings
   * @param out the output for people
   */
  public Serve(AllSettings settings, PrintWriter out) {
    this.settings = settings;
    this.readyFile = settings.program().readyFile().map(ReadyFile::new);
    this.out = out;
  }

  /**
   * Starts, and returns only when the process ends: at SIGINT and SIGTERM everything is stopped in
   * order, and the process exits with 0.
   *
   * @throws RuntimeException if it cannot start, or the server that was started for it ends by
   *     itself; then everything has been stopped
   */
  public void untilStopped() throws InterruptedException {
    readyFile.ifPresent(ReadyFile::prepare);
    Runtime.getRuntime().addShutdownHook(new Thread(this::stopByOrder, "stop"));
    try {
      awaitServerEnd(start());
    } catch (RuntimeException e) {
      if (!isFirstToEnd()) {
        // The start failed only because a signal stopped the process. The signal's handler ends it.
        new CountDownLatch(1).await();
      }
      throw stoppedAfter(e);
    }
  }

  /** Holds a lock, so that a stop waits for a while until the start is complete. */
  private Database start() {
    starting.lock();
    try {
      return openAndServe();
    } finally {
      starting.unlock();
    }
  }

  private Database openAndServe() {
    var begun = System.nanoTime();
    var opened = settings.databases().open();
    database.set(opened);
    tell("database  " + opened);
    tell("roles     leasehold_owner, leasehold_tenant, leasehold_engine");
    new Migrate(out, settings.modules()).ifAllowed(opened);
    requireGoing();
    serve(opened, begun);
    return opened;
  }

  private void serve(Database opened, long begun) {
    var issuer = developmentIssuer();
    if (settings.letsNobodyIn()) {
      log.warn("no issuer of tokens is set: the API rejects all requests (leasehold.rest.issuers)");
    }
    var made = Service.of(settings.module(opened, issuer));
    service.set(made);
    made.open();
    tell("verified  all is well");
    var url = settings.url(made.serve());
    requireGoing();
    tell("serving   %s as %s".formatted(url, settings.program().rolesInWords()));
    var greeting = Greeting.of(url, issuer, settings.rest().adminRole());
    greeting.tokenLines().forEach(this::tell);
    if (settings.submitsDemonstration()) {
      demonstrate(made.part(DemoJobs.class), greeting);
    }
    tellReady(opened, greeting, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
  }

  private Optional<DevelopmentIssuer> developmentIssuer() {
    if (!settings.trustsDevelopment()) {
      return Optional.empty();
    }
    var issuer = DevelopmentIssuer.in(settings.program().data());
    DevelopmentWarning.give(issuer);
    return Optional.of(issuer);
  }

  private void demonstrate(DemoJobs jobs, Greeting greeting) {
    var submitted = new EnumMap<DemoTenant, DemoJobs.Submitted>(DemoTenant.class);
    for (var tenant : DemoTenant.values()) {
      submitted.put(tenant, jobs.submitFor(tenant));
    }
    submitted.forEach(this::tellRefused);
    var calls =
        greeting.calls(DemoTenant.ACME, Objects.requireNonNull(submitted.get(DemoTenant.ACME)));
    tell(Stream.concat(Stream.of("", "try"), calls).collect(Collectors.joining("\n", "", "\n")));
  }

  private void tellRefused(DemoTenant tenant, DemoJobs.Submitted jobs) {
    var refused = jobs.refused();
    if (!refused.isEmpty()) {
      tell(
          "refused   %d of the demonstration's jobs of %s: %s"
              .formatted(
                  refused.size(),
                  tenant.word(),
                  refused.stream().distinct().collect(Collectors.joining("; "))));
    }
  }

  private RuntimeException stoppedAfter(RuntimeException failure) {
    try {
      stop();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
    return failure;
  }

  private synchronized void tell(String line) {
    requireGoing();
    out.println(line);
  }

  private synchronized void tellReady(Database opened, Greeting greeting, long millis) {
    requireGoing();
    readyFile.ifPresent(it -> it.write(greeting.url(), opened.shownUrl(), greeting.tokens()));
    out.printf("ready     after %d ms; Ctrl-C stops%n", millis);
  }

  private synchronized void requireGoing() {
    if (ending) {
      throw new CancellationException("told to stop");
    }
  }

  private static void awaitServerEnd(Database opened) {
    opened.serverEnded().join();
    throw new IllegalStateException(
        "the database's server has ended by itself, as server.log says: %s".formatted(opened));
  }

  /** A failure and a signal may coincide: the first stops everything, the other waits. */
  private synchronized boolean isFirstToEnd() {
    var first = !ending;
    ending = true;
    return first;
  }

  /** Runs when a signal ends the process, whose exit code would otherwise be the signal's. */
  private void stopByOrder() {
    if (!isFirstToEnd()) {
      awaitStopAfterFailure();
      return;
    }
    out.println("stopping");
    try {
      awaitStart();
      stop();
      out.println("stopped");
      Runtime.getRuntime().halt(CLEAN);
    } catch (RuntimeException e) {
      out.println("not stopped in order: " + e.getMessage());
      Runtime.getRuntime().halt(NOT_CLEAN);
    }
  }

  private void awaitStopAfterFailure() {
    try {
      stopped.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * A start may wait forever, for example for a database lock; after a while it is stopped halfway.
   */
  private void awaitStart() {
    try {
      if (!starting.tryLock(START_LIMIT_SECONDS, TimeUnit.SECONDS)) {
        out.printf("not started after %d s more, stopping all the same%n", START_LIMIT_SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void stop() {
    try {
      readyFile.ifPresent(ReadyFile::delete);
    } finally {
      close();
    }
  }

  private void close() {
    try {
      stopService();
    } finally {
      try {
        closeDatabase();
      } finally {
        stopped.countDown();
      }
    }
  }

  private void stopService() {
    var made = service.getAndSet(null);
    if (made != null) {
      made.stop(settings.program().grace(settings.demonstrates()));
    }
  }

  private void closeDatabase() {
    var opened = database.getAndSet(null);
    if (opened != null) {
      opened.close();
    }
  }
}
