package io.leasehold.rest.client;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Follows a job's events to its end: a connection that breaks is made anew, and goes on behind the
 * last event that was seen, so none is missed and none comes twice.
 */
public final class FollowEvents {

  /** The server's last word of a stream, which is no event of the job, and the job's own end. */
  private static final String END = "end";

  private static final String OVER = "{\"reason\":\"over\"}";
  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final int SERVER_FAULT = 500;
  private static final int TOO_MANY = 429;

  private final JobsServer server;
  private final Duration patience;
  private final Duration silence;

  /**
   * Follows on a server.
   *
   * @param patience how long to look for a server that is gone
   * @param silence how long a connection may say nothing before it is made anew
   */
  public FollowEvents(JobsServer server, Duration patience, Duration silence) {
    this.server = server;
    this.patience = patience;
    this.silence = silence;
  }

  /**
   * Follows to the job's end.
   *
   * @param after goes on behind this event; empty for all
   * @param each is given each event's text, in their order
   * @throws ServerProblem if the first call is refused, or a later one for good; or if the server
   *     is not to be found for too long
   */
  public void follow(Call call, String after, Consumer<String> each) throws InterruptedException {
    var last = after;
    var pause = FIRST_PAUSE;
    var answered = false;
    var alone = System.nanoTime();
    while (true) {
      try {
        var seen = readOnce(call, last, each);
        if (seen.isOver()) {
          return;
        }
        if (!seen.last().equals(last)) {
          pause = FIRST_PAUSE;
        }
        last = seen.last();
        answered = true;
        alone = System.nanoTime();
      } catch (ServerProblem e) {
        if (!answered || !isPassing(e) || System.nanoTime() - alone > patience.toNanos()) {
          throw e;
        }
      }
      Thread.sleep(pause);
      pause = longer(pause);
    }
  }

  private static Duration longer(Duration pause) {
    var twice = pause.multipliedBy(2);
    return twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
  }

  private static boolean isPassing(ServerProblem problem) {
    return problem.status() == ServerProblem.UNREACHABLE
        || problem.status() == TOO_MANY
        || problem.status() >= SERVER_FAULT;
  }

  /**
   * How far one connection led.
   *
   * @param last the last event
   * @param isOver whether the job is over
   */
  private record Seen(String last, boolean isOver) {}

  private Seen readOnce(Call call, String after, Consumer<String> each) {
    var last = after;
    var answer = server.stream(call, after);
    if (answer.isEmpty()) {
      return new Seen(after, true); // There is nothing behind it, and nothing will come.
    }
    try (var stream = PatientStream.over(answer.get(), silence)) {
      var events = new SentEvents(stream);
      for (var next = events.next(); next.isPresent(); next = events.next()) {
        var event = next.get();
        if (event.name().equals(END)) {
          return new Seen(last, event.text().equals(OVER));
        }
        each.accept(event.text());
        last = event.id();
      }
      return new Seen(last, false);
    } catch (IOException e) {
      return new Seen(last, false); // It broke off, and is taken up again.
    }
  }
}
