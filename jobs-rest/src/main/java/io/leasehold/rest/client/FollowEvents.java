package io.leasehold.rest.client;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Follows a job's events to its end. A broken connection is opened again and resumes after the last
 * received event, so no event is missed or repeated.
 */
public final class FollowEvents {

  /**
   * The name of the event with which the server closes a stream, which is not an event of the job.
   * Its text below means that the job has finished.
   */
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
   * Creates a follower of jobs on a server.
   *
   * @param patience how long to retry when the server is unreachable
   * @param silence how long a connection may be silent before it is opened again
   */
  public FollowEvents(JobsServer server, Duration patience, Duration silence) {
    this.server = server;
    this.patience = patience;
    this.silence = silence;
  }

  /**
   * Follows the job to its end.
   *
   * @param after the event to resume after; empty for all events
   * @param each receives the text of each event, in order
   * @throws ServerProblem if the first call is refused, a later call is refused permanently, or the
   *     server is unreachable for too long
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
   * The progress of one connection.
   *
   * @param last the last event
   * @param isOver whether the job has finished
   */
  private record Seen(String last, boolean isOver) {}

  private Seen readOnce(Call call, String after, Consumer<String> each) {
    var last = after;
    var answer = server.stream(call, after);
    if (answer.isEmpty()) {
      return new Seen(after, true); // No event follows it, and none will.
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
      return new Seen(last, false); // The connection broke; another one resumes.
    }
  }
}
