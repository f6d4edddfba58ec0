package io.leasehold.plans.server;

import io.leasehold.plans.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/**
 * Servers in containers of their own, by the command line of Docker. The folder is mounted where it
 * is, so that its paths are the same on both sides; a container has no network, as clients come by
 * the socket.
 *
 * @param docker the program
 * @param image with {@code initdb} and {@code postgres} on its path
 * @param settings what servers are told
 */
public record ContainerHost(String docker, String image, ServerSettings settings)
    implements ServerHost {

  private static final String LABEL = "io.leasehold.plan";
  private static final Duration LOOK_EVERY = Duration.ofMillis(20);
  private static final boolean IS_ROOT = System.getProperty("user.name").equals("root");

  /** Whom servers run as where this process is root, which they refuse. */
  private static final String NOT_ROOT = "65534:65534";

  private static final int STATUS_LINE = 7;
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
    run("rm", List.of("-f", name(folder))).run(); // It stopped for a snapshot.
    var words = new ArrayList<>(List.of("-d", "--label", LABEL + "=" + folder.name()));
    words.addAll(container(folder, "postgres", List.of("-D", folder.data().toString())));
    run("run", words).succeed();
    awaitReady(folder, most);
  }

  private List<String> container(ServerFolder folder, String program, List<String> words)
      throws IOException {
    var all =
        new ArrayList<>(
            List.of("--name", name(folder), "--network", "none", "--user", user(folder)));
    all.addAll(List.of("-v", folder.path() + ":" + folder.path()));
    all.addAll(List.of("-v", "/etc/passwd:/etc/passwd:ro")); // initdb wants a name for its user.
    all.addAll(List.of("--entrypoint", program, image));
    all.addAll(words);
    return all;
  }

  private void awaitReady(ServerFolder folder, Duration most)
      throws IOException, InterruptedException {
    var deadline = System.nanoTime() + most.toNanos();
    while (!isReady(folder)) {
      var runs = run("inspect", List.of("-f", "{{.State.Running}}", name(folder))).run();
      if (!runs.said().equals("true") || System.nanoTime() - deadline > 0) {
        var said = run("logs", List.of("--tail", "20", name(folder))).run().why();
        kill(folder);
        throw new IOException("the server of image %s does not start: %s".formatted(image, said));
      }
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
    }
  }

  // As the server writes it, once it accepts connections.
  private static boolean isReady(ServerFolder folder) throws IOException {
    try {
      var lines = Files.readAllLines(folder.data().resolve("postmaster.pid"));
      return lines.size() > STATUS_LINE && lines.get(STATUS_LINE).strip().equals("ready");
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  // The signal is what pg_ctl sends for a fast shutdown; it stands in no other namespace's way.
  @Override
  public void stop(ServerFolder folder, Duration most) throws IOException, InterruptedException {
    run("kill", List.of("--signal", "INT", name(folder))).succeed();
    var code = run("wait", List.of(name(folder))).most(most).succeed();
    if (!code.equals("0")) {
      throw new IOException("the server %s ended with %s".formatted(folder.name(), code));
    }
    run("rm", List.of("-f", name(folder))).succeed();
  }

  @Override
  public void kill(ServerFolder folder) throws IOException, InterruptedException {
    var ended = run("rm", List.of("-f", name(folder))).run();
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
    var its = Files.readAttributes(folder.path(), "unix:uid,gid");
    return its.get("uid") + ":" + its.get("gid");
  }

  // The server minds whose its data are.
  private static void giveAway(ServerFolder folder) throws IOException, InterruptedException {
    if (IS_ROOT) {
      Command.of("chown", "-R", NOT_ROOT, folder.path().toString()).succeed();
    }
  }

  private Command run(String what, List<String> words) {
    var all = new ArrayList<>(List.of(docker, what));
    all.addAll(words);
    return Command.of(all);
  }
}
