package io.leasehold.plans.server;

import io.leasehold.plans.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Runs each server in its own container, with the Docker command line. The folder is mounted at its
 * own path, so that its paths are the same on both sides. A container has no network, as clients
 * connect through the socket.
 *
 * <p>The first process of a container is a shell and not the server, so that the container keeps
 * running while the server is stopped for a snapshot.
 *
 * @param docker the program
 * @param image an image with {@code initdb}, {@code pg_ctl}, {@code postgres}, {@code sh} and
 *     {@code sleep} on its path
 * @param settings the settings of the servers
 */
public record ContainerHost(String docker, String image, ServerSettings settings)
    implements ServerHost {

  private static final String LABEL = "io.leasehold.plan";
  private static final boolean IS_ROOT = System.getProperty("user.name").equals("root");

  /**
   * The user that servers run as if this process is root, because PostgreSQL refuses to run as
   * root.
   */
  private static final String NOT_ROOT = "65534:65534";

  /** Waits, and reaps servers that have ended. */
  private static final String FIRST_PROCESS =
      "trap 'exit 0' TERM; while sleep 3600 & wait $!; do :; done";

  private static final String NONE = "no such container";

  @Override
  public void initialise(ServerFolder folder) throws IOException, InterruptedException {
    giveAway(folder);
    var words = new ArrayList<>(List.of("--rm"));
    words.addAll(container(folder, "initdb", Initdb.words(folder.data().toString())));
    run("run", words).succeed();
    ServerSettings.prepare(folder.data());
  }

  @Override
  public void start(ServerFolder folder, Duration most) throws IOException, InterruptedException {
    settings.write(folder);
    giveAway(folder);
    keepRunning(folder);
    try {
      control(folder, PgCtl.start(folder, most)).most(most.multipliedBy(2)).succeed();
    } catch (IOException e) {
      kill(folder);
      throw new IOException(
          "the server of image %s does not start: %s%n%s"
              .formatted(image, e.getMessage(), ServerLog.last(folder)),
          e);
    }
  }

  // A new container replaces one that ended while its server was stopped: the data are consistent.
  private void keepRunning(ServerFolder folder) throws IOException, InterruptedException {
    if (isRunning(folder)) {
      return;
    }
    kill(folder);
    var words = new ArrayList<>(List.of("-d", "--label", LABEL + "=" + folder.name()));
    words.addAll(container(folder, "sh", List.of("-c", FIRST_PROCESS)));
    run("run", words).succeed();
  }

  private boolean isRunning(ServerFolder folder) throws IOException, InterruptedException {
    var format = List.of("-f", "{{.State.Running}}", name(folder));
    return run("inspect", format).run().said().equals("true");
  }

  private List<String> container(ServerFolder folder, String program, List<String> words)
      throws IOException {
    var all =
        new ArrayList<>(
            List.of("--name", name(folder), "--network", "none", "--user", user(folder)));
    all.addAll(List.of("-v", folder.path() + ":" + folder.path()));
    all.addAll(List.of("-v", "/etc/passwd:/etc/passwd:ro")); // initdb needs a name for its user.
    all.addAll(List.of("--entrypoint", program, image));
    all.addAll(words);
    return all;
  }

  @Override
  public void stop(ServerFolder folder, Duration most) throws IOException, InterruptedException {
    control(folder, PgCtl.stop(folder, most)).most(most.multipliedBy(2)).succeed();
  }

  @Override
  public void kill(ServerFolder folder) throws IOException, InterruptedException {
    var ended = run("rm", List.of("-f", "-v", name(folder))).run();
    if (ended.code() != 0 && !ended.why().toLowerCase(Locale.ROOT).contains(NONE)) {
      throw new IOException("%s is not removed: %s".formatted(name(folder), ended.why()));
    }
  }

  private static String name(ServerFolder folder) {
    return "leasehold-plan-" + folder.name();
  }

  private static String user(ServerFolder folder) throws IOException {
    if (IS_ROOT) {
      return NOT_ROOT;
    }
    var owner = Files.readAttributes(folder.path(), "unix:uid,gid");
    return owner.get("uid") + ":" + owner.get("gid");
  }

  // The server requires that its user owns its data.
  private static void giveAway(ServerFolder folder) throws IOException, InterruptedException {
    if (IS_ROOT) {
      Command.of("chown", "-R", NOT_ROOT, folder.path().toString()).succeed();
    }
  }

  private Command control(ServerFolder folder, List<String> words) {
    var all = new ArrayList<>(List.of(name(folder), PgCtl.PROGRAM));
    all.addAll(words);
    return run("exec", all);
  }

  private Command run(String what, List<String> words) {
    var all = new ArrayList<>(List.of(docker, what));
    all.addAll(words);
    return Command.of(all);
  }
}
