package io.leasehold.rest.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.leasehold.rest.RestLimits;
import io.leasehold.rest.http.Periodic;
import io.leasehold.rest.http.Trace;
import io.leasehold.rest.problem.Problem;
import io.leasehold.rest.problem.ProblemText;
import io.leasehold.rest.problem.RequestRefusal;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.nio.ByteBuffer;
import java.nio.channels.WritePendingException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.http.HttpParser;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.Callback;

/**
 * Cuts off clients that send a request so slowly that it never ends, and responds with the reason
 * if the request had begun. Jetty's idle timeout restarts with each byte, and so does not notice.
 */
@Singleton
public final class SlowRequests implements Connection.Listener, Periodic {

  private static final int LOOKS = 4;

  private final Duration most;

  /** All connections, and the time since when each has been waiting for its first request. */
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
            end(connection);
          }
        });
  }

  private static void end(HttpConnection connection) {
    var end = connection.getEndPoint();
    // If part of a response was sent, the client would take another one for its continuation.
    if (connection.getParser().isState(HttpParser.State.START)
        || !connection.getGenerator().isIdle()) {
      end.close();
      return;
    }
    try {
      end.write(Callback.from(end::close), ByteBuffer.wrap(answer().getBytes(UTF_8)));
    } catch (WritePendingException e) {
      end.close();
    }
  }

  /** Written by hand: before the end of the request there is no request object to answer. */
  private static String answer() {
    var trace = Trace.random().id();
    var problem = ProblemText.of(RequestRefusal.of(Problem.REQUEST_TIMEOUT), trace);
    return """
    HTTP/1.1 408 Request Timeout\r
    Content-Type: %s\r
    Content-Length: %d\r
    %s: %s\r
    X-Content-Type-Options: nosniff\r
    Cache-Control: no-store\r
    Connection: close\r
    \r
    %s\
    """
        .formatted(
            ProblemText.MEDIA_TYPE, problem.getBytes(UTF_8).length, Trace.HEADER, trace, problem);
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
