package io.leasehold.rest.server;

import io.leasehold.rest.RestLimits;
import io.leasehold.rest.http.Periodic;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.http.HttpParser;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.internal.HttpConnection;

/**
 * Cuts off who sends a request so slowly that it never comes to its end. Jetty's idle timeout
 * begins anew with each byte, and so does not notice.
 */
@Singleton
public final class SlowRequests implements Connection.Listener, Periodic {

  private static final int LOOKS = 4;

  private final Duration most;

  /** All connections, and since when each has been waiting for its first request. */
  private final Map<HttpConnection, Long> open = new ConcurrentHashMap<>();

  @Inject
  SlowRequests(RestLimits limits) {
    this.most = limits.headerTimeout();
  }

  @Override
  public void onOpened(Connection connection) {
    if (connection instanceof HttpConnection http) {
      open.put(http, System.nanoTime());
    }
  }

  @Override
  public void onClosed(Connection connection) {
    if (connection instanceof HttpConnection http) {
      open.remove(http);
    }
  }

  @Override
  public Duration every() {
    return most.dividedBy(LOOKS);
  }

  @Override
  public void look() {
    var now = System.nanoTime();
    open.forEach(
        (connection, since) -> {
          if (isLate(connection, since, now)) {
            connection.getEndPoint().close();
          }
        });
  }

  private boolean isLate(HttpConnection connection, long since, long now) {
    var parser = connection.getParser();
    if (parser.inHeaderState() && !parser.isState(HttpParser.State.START)) {
      return now - parser.getBeginNanoTime() > most.toNanos();
    }
    if (parser.inContentState()) {
      return now - parser.getBeginNanoTime() > most.toNanos();
    }
    return connection.getMessagesIn() == 0
        && parser.isState(HttpParser.State.START)
        && now - since > most.toNanos();
  }
}
