package io.leasehold.runs;

import io.leasehold.runs.process.LivingProcess;
import io.leasehold.runs.process.MarkedProcesses;
import io.leasehold.runs.process.Patience;
import io.leasehold.runs.process.RunFolder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Runs local processes, each in its own session, so that they outlive the JVM. A small shell around
 * each process records its id and its exit code. Linux only.
 *
 * <p>Its folder belongs to one database and one machine: processes of another machine appear gone
 * to this one. Runs have the worker's own user, and nothing isolates them except that they do not
 * know of each other. They inherit nothing of the worker's environment but the {@code PATH}.
 */
public final class ProcessRunner implements Runner {

  private static final Duration LOOK_EVERY = Duration.ofMillis(100);
  private static final Duration TO_START = Duration.ofSeconds(30);
  private static final Duration TO_DIE = Duration.ofSeconds(10);

  /** Separates a run's name from the suffix that distinguishes its folders that are not in use. */
  private static final String ASIDE = "~";

  /** The prefix of the names of a run's variables while they are not in use. */
  private static final String PREFIX = "LEASEHOLD_ENV_";

  private static final String NAMES = "LEASEHOLD_NAMES";

  private static final String PATH = "/usr/local/bin:/usr/bin:/bin";

  private final Path root;
  private final String script;

  /**
   * Keeps the files of each run in a folder inside this one. If the folder does not exist, it is
   * created for this user alone.
   *
   * @throws IllegalStateException if this system does not describe its processes as Linux does
   */
  public ProcessRunner(Path root) {
    if (!LivingProcess.canBeKnown()) {
      throw new IllegalStateException("processes are found again on Linux alone");
    }
    this.root = root.toAbsolutePath();
    try (var resource = ProcessRunner.class.getResourceAsStream("run.sh")) {
      this.script =
          new String(Objects.requireNonNull(resource).readAllBytes(), StandardCharsets.UTF_8);
      RunFolder.makePrivate(this.root);
    } catch (IOException e) {
      throw new UncheckedIOException("the folder of runs cannot be made", e);
    }
  }

  private RunFolder folder(RunId id) {
    return new RunFolder(root.resolve(id.name()));
  }

  // A folder that is about to become the run's, or was taken away from the run.
  private RunFolder aside(RunId id) {
    return new RunFolder(root.resolve(id.name() + ASIDE + UUID.randomUUID()));
  }

  // The folder appears whole, and a latecomer does not write into a folder that belongs to a run by
  // then.
  @Override
  public void prepare(RunId id, RunSpec spec) throws IOException {
    if (!folder(id).exists()) {
      var staging = aside(id);
      staging.prepare(spec.files());
      staging.become(folder(id));
    }
  }

  @Override
  public void start(RunId id, RunSpec spec) throws IOException, InterruptedException {
    var folder = folder(id);
    if (!folder.exists()) {
      throw new IOException("run %s is not prepared".formatted(id));
    }
    if (folder.isStarted()) {
      return;
    }
    var shell = spawn(id, folder, spec);
    var deadline = System.nanoTime() + TO_START.toNanos();
    while (folder.process().isEmpty()) {
      var isOver = !shell.isAlive();
      if (isOver && folder.isStarted()) {
        return; // Another worker started it first.
      }
      if (isOver || System.nanoTime() - deadline >= 0) {
        throw new IOException("run %s could not be started".formatted(id));
      }
      Thread.sleep(1);
    }
  }

  private Process spawn(RunId id, RunFolder folder, RunSpec spec) throws IOException {
    var words = new ArrayList<>(List.of("setsid", "sh", "-c", script, "sh"));
    words.add(folder.path().toString());
    words.addAll(spec.command());
    var builder =
        new ProcessBuilder(words)
            .directory(folder.path().toFile())
            .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.DISCARD);
    var environment = builder.environment();
    var path = environment.getOrDefault("PATH", PATH);
    environment.clear();
    environment.put("PATH", path);
    environment.put(MarkedProcesses.MARK, id.name());
    environment.put("LEASEHOLD_OUTPUTS", folder.outputs().toString());
    var variables = new HashMap<>(Map.of("PATH", path, "HOME", folder.work().toString()));
    variables.putAll(spec.environment());
    // The shell restores the variables' names just before it becomes the command. Until then no
    // variable affects where the shell, or the programs it calls, find programs and libraries.
    variables.forEach((name, value) -> environment.put(PREFIX + name, value));
    environment.put(NAMES, String.join(" ", variables.keySet()));
    return builder.start();
  }

  @Override
  public Optional<RunState> find(RunId id) throws IOException {
    var folder = folder(id);
    return folder.exists() ? Optional.of(state(id, folder)) : Optional.empty();
  }

  // The exit code is written before the process ends.
  private static RunState state(RunId id, RunFolder folder) throws IOException {
    if (!folder.isStarted()) {
      return new RunState.Prepared();
    }
    var isAlive = isAlive(id, folder);
    var exit = folder.exitCode();
    if (exit.isPresent()) {
      return new RunState.Exited(exit.getAsInt());
    }
    return isAlive ? new RunState.Running() : new RunState.Gone();
  }

  // Before the process has recorded its id, and if it could not, its mark shows whether it is
  // alive.
  private static boolean isAlive(RunId id, RunFolder folder) throws IOException {
    var process = folder.process();
    return process.isPresent() ? process.get().isAlive() : !MarkedProcesses.of(id.name()).isEmpty();
  }

  @Override
  public Optional<RunState> await(RunId id, Duration most)
      throws IOException, InterruptedException {
    var deadline = System.nanoTime() + most.toNanos();
    var state = find(id);
    while (state.filter(RunState.Running.class::isInstance).isPresent()
        && System.nanoTime() - deadline < 0) {
      Thread.sleep(LOOK_EVERY);
      state = find(id);
    }
    return state;
  }

  @Override
  public InputStream log(RunId id, long from) throws IOException {
    return folder(id).log(from);
  }

  @Override
  public Path outputs(RunId id) {
    return folder(id).outputs();
  }

  @Override
  public void stop(RunId id, Duration grace) throws IOException {
    var shell = folder(id).process();
    if (shell.isPresent() && shell.get().isAlive()) {
      shell.get().signalGroup("TERM");
      Patience.until(() -> MarkedProcesses.of(id.name()).isEmpty(), grace, LOOK_EVERY);
      shell.get().signalGroup("KILL"); // The group keeps its number while it has any member.
    }
    end(id, folder(id));
  }

  // Kills by group as well as by mark, because some processes may have left the group or dropped
  // the mark. Kills by mark repeatedly, because a process that is being killed may have started
  // another.
  private static void end(RunId id, RunFolder folder) throws IOException {
    var shell = folder.process();
    if (shell.isPresent() && shell.get().isAlive()) {
      shell.get().signalGroup("KILL");
    }
    var isOver =
        Patience.until(
            () -> {
              MarkedProcesses.kill(id.name());
              return MarkedProcesses.of(id.name()).isEmpty();
            },
            TO_DIE,
            LOOK_EVERY);
    if (!isOver) {
      throw new IOException("run %s does not end".formatted(id));
    }
  }

  // Moves the folder away first, so that nothing is started in it during the search for running
  // processes.
  @Override
  public void remove(RunId id) throws IOException {
    var folder = folder(id);
    if (folder.exists()) {
      folder.leave(aside(id));
    }
    for (var path : folders()) {
      var name = path.getFileName().toString();
      if (name.startsWith(id.name() + ASIDE)) {
        end(id, new RunFolder(path));
        RunFolder.delete(path);
      }
    }
  }

  @Override
  public Set<RunId> all() throws IOException {
    var all = new LinkedHashSet<RunId>();
    for (var path : folders()) {
      var name = path.getFileName().toString().split(ASIDE, 2)[0];
      RunId.parse(name).ifPresent(all::add);
    }
    return all;
  }

  private List<Path> folders() throws IOException {
    try (var folders = Files.list(root)) {
      return folders.sorted().toList();
    }
  }
}
