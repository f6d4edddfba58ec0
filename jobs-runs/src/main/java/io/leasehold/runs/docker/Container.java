package io.leasehold.runs.docker;

import java.io.IOException;
import java.util.Optional;

/**
 * A container as its engine knows it.
 *
 * @param id of it: another one of the same name has another
 * @param status in Docker's word: created, running, exited and so on
 * @param exitCode what it ended with, if it has
 * @param fleet whose it is
 */
public record Container(String id, String status, int exitCode, String fleet) {

  /** Says which fleet of workers it belongs to. */
  public static final String FLEET = "io.leasehold.fleet";

  private static final String FORMAT =
      "{{.Id}} {{.State.Status}} {{.State.ExitCode}} {{index .Config.Labels \"%s\"}}"
          .formatted(FLEET);

  /** Looks one up by its name or id; nothing if there is none. */
  public static Optional<Container> find(Docker docker, String name)
      throws IOException, InterruptedException {
    var answer = docker.ask("container", "inspect", "--format", FORMAT, name);
    if (answer.isAbsent()) {
      return Optional.empty();
    }
    if (!answer.isDone()) {
      throw new IOException("the container engine does not answer");
    }
    var words = answer.out().split(" ", 4);
    return Optional.of(
        new Container(
            words[0], words[1], Integer.parseInt(words[2]), words.length > 3 ? words[3] : ""));
  }

  public boolean isCreated() {
    return status.equals("created");
  }

  public boolean isExited() {
    return status.equals("exited");
  }

  /** Whether it is about to run, runs, or is held where it is. */
  public boolean isRunning() {
    return status.equals("running") || status.equals("paused") || status.equals("restarting");
  }
}
