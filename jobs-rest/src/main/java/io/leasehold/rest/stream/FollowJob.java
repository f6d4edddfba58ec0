package io.leasehold.rest.stream;

import io.leasehold.jobs.history.EventCursor;
import io.leasehold.rest.RestLimits;
import io.leasehold.rest.http.Exchange;
import io.leasehold.rest.problem.Problem;
import io.leasehold.rest.problem.RequestRefusal;
import io.leasehold.rest.stream.write.Portion;
import io.leasehold.rest.stream.write.Portions;
import io.leasehold.rest.stream.write.StreamFormat;
import io.leasehold.rest.stream.write.StreamFormat.End;
import jakarta.inject.Inject;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * Sends a job's history from a position on, and follows it until the job has finished, the token
 * expires, or the server stops. Between events it holds only its thread and its place.
 */
public final class FollowJob {

  private static final int NO_CONTENT = 204;

  private final Tails tails;
  private final ReadTurns reads;
  private final OpenStreams streams;
  private final Duration keepAliveEvery;

  @Inject
  FollowJob(Tails tails, ReadTurns reads, OpenStreams streams, RestLimits limits) {
    this.tails = tails;
    this.reads = reads;
    this.streams = streams;
    this.keepAliveEvery = limits.keepAliveEvery();
  }

  /** Streams as NDJSON. */
  public void asLines(Exchange exchange, EventCursor after)
      throws IOException, InterruptedException {
    follow(exchange, StreamFormat.NDJSON, after);
  }

  /** Streams as server-sent events. */
  public void asServerSent(Exchange exchange, EventCursor after)
      throws IOException, InterruptedException {
    follow(exchange, StreamFormat.SSE, after);
  }

  private void follow(Exchange exchange, StreamFormat format, EventCursor after)
      throws IOException, InterruptedException {
    var id = exchange.job();
    try (var stream = streams.open(exchange)) {
      var portions = reads.portions(exchange.caller(), id);
      var first = portions.behind(after).orElseThrow(() -> RequestRefusal.of(Problem.NOT_FOUND));
      if (format == StreamFormat.SSE && first.isOver() && first.events().isEmpty()) {
        exchange.nothing(NO_CONTENT); // tells browsers not to reconnect
        return;
      }
      exchange.header("X-Accel-Buffering", "no");
      stream.write(format.begin(streams.pauseBeforeNext(exchange.caller())));
      if (exchange.isForHeadersOnly()) {
        return;
      }
      // Every watch is announced to all processes, so a foreign or absent job is not watched. The
      // tail reads what happens between the first read and the watch.
      try (var following = tails.follow(exchange.caller(), id)) {
        new Session(exchange, format, following.tail(), stream, portions).run(first);
      }
    }
  }

  /** One client's progress through the history. */
  private final class Session {

    private final Exchange exchange;
    private final StreamFormat format;
    private final Tail tail;
    private final OpenStream stream;
    private final Portions portions;

    private EventCursor place = EventCursor.BEGIN;
    private long lastWrite = System.nanoTime();

    private Session(
        Exchange exchange, StreamFormat format, Tail tail, OpenStream stream, Portions portions) {
      this.exchange = exchange;
      this.format = format;
      this.tail = tail;
      this.stream = stream;
      this.portions = portions;
    }

    private void run(Portion first) throws IOException, InterruptedException {
      var end = send(first);
      while (end.isEmpty()) {
        var look = tail.lookBehind(place);
        end = look.isPresent() ? send(look.get()) : readOn();
      }
      stream.write(format.end(end.get()));
    }

    private Optional<End> readOn() throws IOException, InterruptedException {
      var before = tail.look();
      var portion = before.isClosed() ? Optional.<Portion>empty() : portions.behind(place);
      if (portion.isEmpty()) {
        return Optional.of(End.CLOSED);
      }
      var end = send(portion.get());
      if (end.isEmpty() && portion.get().events().isEmpty()) {
        await(before);
      }
      return end;
    }

    /**
     * Sends the events that this stream read itself, and hands over to the tail where no more are
     * stored.
     */
    private Optional<End> send(Portion portion) throws IOException {
      if (!portion.events().isEmpty()) {
        stream.write(format, portion.sent());
        written();
      }
      place = portion.next();
      if (portion.isOver()) {
        return Optional.of(End.OVER);
      }
      if (!portion.hasMore()) {
        tail.begin(place);
      }
      return ended();
    }

    private Optional<End> send(Tail.Look look) throws IOException, InterruptedException {
      if (!look.events().isEmpty()) {
        stream.write(format, look.events());
        written();
        place = look.events().getLast().cursor();
      }
      if (look.isOver()) {
        return Optional.of(End.OVER);
      }
      if (look.isClosed()) {
        return Optional.of(End.CLOSED);
      }
      if (look.events().isEmpty()) {
        await(look);
      }
      return ended();
    }

    private void await(Tail.Look look) throws IOException, InterruptedException {
      var alive = keepAliveEvery.minusNanos(System.nanoTime() - lastWrite);
      var valid = exchange.tokenRemaining();
      tail.awaitNews(look, alive.compareTo(valid) < 0 ? alive : valid);
      if (System.nanoTime() - lastWrite >= keepAliveEvery.toNanos()) {
        stream.write(format.keepAlive());
        written();
      }
    }

    private Optional<End> ended() {
      return exchange.tokenRemaining().isPositive() ? Optional.empty() : Optional.of(End.EXPIRED);
    }

    private void written() {
      lastWrite = System.nanoTime();
    }
  }
}
