package io.leasehold.runs.docker;

import java.io.IOException;
import java.util.Optional;

/**
 * A container as its engine knows it.
 *
 * @param id its id, which differs from that of another container of the same name
 * @param status Docker's status: created, running, exited and so on
 * @param exitCode its exit code, if it has exited
 * @param fleet the fleet it belongs to
 */
public record Container(String id, String status, int exitCode, String fleet) {

  /** The label that names its fleet of workers. */
  public static final String FLEET = "io.leasehold.fleet";

  private static final String FORMAT =
      "{{.Id}} {{.State.Status}} {{.State.ExitCode}} {{index .Config.Labels \"%s\"}}"
          .formatted(FLEET);

  /** Looks up a container by name or id; empty if there is none. */
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

  /** Whether it is about to run, is running, or is paused. */
  public boolean isRunning() {
    return status.equals("running") || status.equals("paused") || status.equals("restarting");
  }
}
