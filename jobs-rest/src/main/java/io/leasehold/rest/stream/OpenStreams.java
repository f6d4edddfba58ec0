package io.leasehold.rest.stream;

import io.leasehold.jobs.SecurityContext;
import io.leasehold.rest.RestLimits;
import io.leasehold.rest.http.Exchange;
import io.leasehold.rest.http.Periodic;
import io.leasehold.rest.limit.Place;
import io.leasehold.rest.limit.StreamPlaces;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * All open streams. Cuts off clients that do not read, and ends all streams when the server stops.
 */
@Singleton
public final class OpenStreams implements Periodic {

  private static final int LOOKS = 4;
  private static final Duration PAUSE_LEAST = Duration.ofSeconds(1);

  private final StreamPlaces places;
  private final Tails tails;
  private final Duration slowAfter;
  private final Counter cut;
  private final Set<OpenStream> open = ConcurrentHashMap.newKeySet();

  private volatile boolean stopping;

  @Inject
  OpenStreams(StreamPlaces places, Tails tails, RestLimits limits, MeterRegistry meters) {
    this.places = places;
    this.tails = tails;
    this.slowAfter = limits.slowAfter();
    Gauge.builder("leasehold.http.streams", open, Set::size)
        .description("Streams and long polls that are open")
        .register(meters);
    cut =
        Counter.builder("leasehold.http.streams.cut")
            .description("Streams that were cut off because their clients did not read")
            .register(meters);
  }

  /**
   * Opens a stream, if there is a place for it.
   *
   * @throws io.leasehold.rest.problem.RequestRefusal if there is none
   */
  OpenStream open(Exchange exchange) {
    return open(exchange, () -> {}, places.take(exchange.caller()));
  }

  /**
   * Opens a stream for a waiting client, if there is a place for it.
   *
   * @param wake called by another thread when the server stops
   * @throws io.leasehold.rest.problem.RequestRefusal if there is none
   */
  OpenStream openToWait(Exchange exchange, Runnable wake) {
    return open(exchange, wake, places.takeToWait(exchange.caller()));
  }

  private OpenStream open(Exchange exchange, Runnable wake, Place place) {
    exchange.lasts();
    var stream = new OpenStream(exchange, wake, ended -> closed(ended, place));
    open.add(stream);
    if (stopping) {
      stream.stop();
    }
    return stream;
  }

  /**
   * Returns how long a client should wait before it reconnects: a different time for each, because
   * all clients reconnect when a server restarts.
   */
  Duration pauseBeforeNext(SecurityContext caller) {
    var spread = places.spread(caller).toMillis();
    return PAUSE_LEAST.plusMillis(ThreadLocalRandom.current().nextLong(spread));
  }

  int count() {
    return open.size();
  }

  private void closed(OpenStream stream, Place place) {
    open.remove(stream);
    place.close();
  }

  @Override
  public Duration every() {
    return slowAfter.dividedBy(LOOKS);
  }

  @Override
  public void look() {
    var now = System.nanoTime();
    open.stream().filter(stream -> stream.isStuckAt(now, slowAfter)).forEach(this::cut);
  }

  private void cut(OpenStream stream) {
    stream.cut();
    cut.increment();
  }

  @Override
  public void stopping() {
    stopping = true;
    tails.close();
    open.forEach(OpenStream::stop);
  }
}
