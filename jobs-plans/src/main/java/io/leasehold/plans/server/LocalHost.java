package io.leasehold.plans.server;

import io.leasehold.plans.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs servers as processes of this machine, which survive if this process is killed.
 *
 * <p>PostgreSQL refuses to run as root. If this process is root, the servers run in a user
 * namespace in which they have no privileges.
 *
 * @param programs the folder of {@code initdb} and {@code pg_ctl}
 * @param settings the settings of the servers
 */
public record LocalHost(Path programs, ServerSettings settings) implements ServerHost {

  private static final Logger log = LoggerFactory.getLogger(LocalHost.class);
  private static final Duration KILLED_WITHIN = Duration.ofSeconds(5);
  private static final Duration LOOK_EVERY = Duration.ofMillis(10);
  private static final boolean IS_ROOT = System.getProperty("user.name").equals("root");

  @Override
  public void initialise(ServerFolder folder) throws IOException, InterruptedException {
    var data = folder.data().toString();
    command("initdb", Initdb.words(data)).succeed();
    ServerSettings.prepare(folder.data());
  }

  @Override
  public void start(ServerFolder folder, Duration most) throws IOException, InterruptedException {
    settings.write(folder);
    try {
      control(PgCtl.start(folder, most)).most(most.multipliedBy(2)).succeed();
    } catch (IOException e) {
      kill(folder);
      throw new IOException("%s%n%s".formatted(e.getMessage(), ServerLog.last(folder)), e);
    }
  }

  @Override
  public void stop(ServerFolder folder, Duration most) throws IOException, InterruptedException {
    control(PgCtl.stop(folder, most)).most(most.multipliedBy(2)).succeed();
  }

  @Override
  public void kill(ServerFolder folder) throws IOException, InterruptedException {
    var running = runningOn(folder.data());
    if (running.isEmpty()) {
      return;
    }
    log.info("ending the server {} at once", running.get().pid());
    control(PgCtl.stopAtOnce(folder, KILLED_WITHIN)).run();
    running.get().destroyForcibly();
    awaitEnd(running.get());
  }

  // A process that has ended has no program any more, even if no parent has reaped it.
  private static void awaitEnd(ProcessHandle process) throws IOException {
    var deadline = System.nanoTime() + KILLED_WITHIN.toNanos();
    while (process.isAlive() && process.info().command().isPresent()) {
      if (System.nanoTime() - deadline > 0) {
        throw new IOException("server %d does not end".formatted(process.pid()));
      }
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
    }
  }

  // The file survives a crash of the machine, and another process may have the number by now.
  private static Optional<ProcessHandle> runningOn(Path data) throws IOException {
    String first;
    try (var lines = Files.lines(data.resolve("postmaster.pid"))) {
      first = lines.findFirst().orElse("").strip();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
    return first.matches("[0-9]{1,18}")
        ? ProcessHandle.of(Long.parseLong(first)).filter(process -> isServer(process, data))
        : Optional.empty();
  }

  private static boolean isServer(ProcessHandle process, Path data) {
    var info = process.info();
    return info.command().filter(program -> program.endsWith("/postgres")).isPresent()
        && info.arguments().filter(words -> List.of(words).contains(data.toString())).isPresent();
  }

  private Command control(List<String> words) {
    return command(PgCtl.PROGRAM, words);
  }

  private Command command(String program, List<String> words) {
    var all = new ArrayList<>(IS_ROOT ? List.of("unshare", "-U") : List.<String>of());
    all.add(programs.resolve(program).toString());
    all.addAll(words);
    return Command.of(all).alone(Map.of());
  }
}
