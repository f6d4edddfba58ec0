package io.leasehold.rest.auth;

import com.nimbusds.jose.jwk.JWK;
import io.leasehold.rest.problem.Problem;
import io.leasehold.rest.problem.RequestRefusal;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keys at a URL. They are fetched when the first token arrives, again every ten minutes, and when a
 * token names an unknown key, but rarely enough that made-up names do not harm the issuer. While
 * the issuer cannot be reached, the known keys stay valid for a day.
 */
final class UrlKeys implements IssuerKeys {

  private static final Logger log = LoggerFactory.getLogger(UrlKeys.class);

  private static final Duration FRESH = Duration.ofMinutes(10);
  private static final Duration GOOD = Duration.ofDays(1);
  private static final Duration BETWEEN_FETCHES = Duration.ofSeconds(30);
  private static final Duration BETWEEN_FIRST_FETCHES = Duration.ofSeconds(2);
  private static final Duration WAIT_MOST = Duration.ofSeconds(5);

  private final URI address;
  private final FetchKeys fetch;
  private final Executor background;
  private final LongSupplier nanos;
  private final ReentrantLock fetching = new ReentrantLock();
  private final AtomicBoolean refreshing = new AtomicBoolean();

  private volatile Optional<Held> held = Optional.empty();

  /** The time when the last attempt ended. */
  private volatile Optional<Long> triedAt = Optional.empty();

  UrlKeys(URI address, FetchKeys fetch) {
    this(address, fetch, Thread::startVirtualThread, System::nanoTime);
  }

  UrlKeys(URI address, FetchKeys fetch, Executor background, LongSupplier nanos) {
    this.address = address;
    this.fetch = fetch;
    this.background = background;
    this.nanos = nanos;
  }

  @Override
  public List<JWK> named(String kid) {
    var found = known().map(fetched -> fetched.keys().named(kid)).orElse(List.of());
    if (!found.isEmpty()) {
      if (known().filter(fetched -> isWithin(fetched, FRESH)).isEmpty()) {
        refresh();
      }
      return found;
    }
    fetchIfDue();
    return known()
        .orElseThrow(() -> RequestRefusal.until(Problem.UNAVAILABLE, BETWEEN_FIRST_FETCHES))
        .keys()
        .named(kid);
  }

  private Optional<Held> known() {
    return held.filter(fetched -> isWithin(fetched, GOOD));
  }

  /** Starts one background refresh at a time, however many requests find that the keys are old. */
  private void refresh() {
    if (isDue() && refreshing.compareAndSet(false, true)) {
      background.execute(
          () -> {
            try {
              fetchIfDue();
            } finally {
              refreshing.set(false);
            }
          });
    }
  }

  /** One thread fetches; other threads that need the keys wait for it, for a short time. */
  private void fetchIfDue() {
    try {
      if (!fetching.tryLock(WAIT_MOST.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    try {
      if (isDue()) {
        fetch();
        triedAt = Optional.of(nanos.getAsLong());
      }
    } finally {
      fetching.unlock();
    }
  }

  private boolean isDue() {
    var between = held.isPresent() ? BETWEEN_FETCHES : BETWEEN_FIRST_FETCHES;
    return triedAt.map(before -> nanos.getAsLong() - before >= between.toNanos()).orElse(true);
  }

  private void fetch() {
    var found = fetch.fetch(address).flatMap(KeySet::parse);
    if (found.isPresent()) {
      held = found.map(keys -> new Held(keys, nanos.getAsLong()));
    } else {
      log.warn("no keys at {}: it cannot be reached, or is no JWKS", address);
    }
  }

  private boolean isWithin(Held fetched, Duration age) {
    return nanos.getAsLong() - fetched.since() < age.toNanos();
  }

  /** Keys and the time they were fetched. */
  private record Held(KeySet keys, long since) {}
}
