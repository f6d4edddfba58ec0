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
 * Runs processes of this machine, each in a session of its own, so that they outlive the JVM. A
 * small shell around each writes down which process it is and what it ended with. On Linux.
 *
 * <p>Its folder belongs to one database and one machine: another machine's processes are gone to
 * this one. Runs are of the worker's own user, and kept from one another by nothing but that they
 * do not know of each other; they are given nothing of the worker's environment but the {@code
 * PATH}.
 */
public final class ProcessRunner implements Runner {

  private static final Duration LOOK_EVERY = Duration.ofMillis(100);
  private static final Duration TO_START = Duration.ofSeconds(30);
  private static final Duration TO_DIE = Duration.ofSeconds(10);

  /** Stands between the name of a run and what tells apart its folders that are not in use. */
  private static final String ASIDE = "~";

  /** Stands before the names of a run's variables as long as they are not in use. */
  private static final String PREFIX = "LEASEHOLD_ENV_";

  private static final String NAMES = "LEASEHOLD_NAMES";

  private static final String PATH = "/usr/local/bin:/usr/bin:/bin";

  private final Path root;
  private final String script;

  /**
   * Keeps what there is of each run in a folder of this one. If that is not there it is made, open
   * to this user alone.
   *
   * @throws IllegalStateException if this system does not tell of its processes as Linux does
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

  // On its way to be the run's, or taken away from it.
  private RunFolder aside(RunId id) {
    return new RunFolder(root.resolve(id.name() + ASIDE + UUID.randomUUID()));
  }

  // It appears whole, and nobody who comes late writes into one that is a run's by then.
  @Override
  public void prepare(RunId id, RunSpec spec) throws IOException {
    if (!folder(id).exists()) {
      var its = aside(id);
      its.prepare(spec.files());
      its.become(folder(id));
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
        return; // By another, who came first.
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
    // The shell gives them back their names just before it becomes the command. Until then none of
    // them tells it, or what it calls, where programs and libraries are.
    variables.forEach((name, value) -> environment.put(PREFIX + name, value));
    environment.put(NAMES, String.join(" ", variables.keySet()));
    return builder.start();
  }

  @Override
  public Optional<RunState> find(RunId id) throws IOException {
    var folder = folder(id);
    return folder.exists() ? Optional.of(state(id, folder)) : Optional.empty();
  }

  // What it ended with is written before it is gone.
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

  // Before it has said which process it is, and if it could not, its mark tells.
  private static boolean isAlive(RunId id, RunFolder folder) throws IOException {
    var process = folder.process();
    return process.isPresent() ? process.get().isAlive() : !MarkedProcesses.of(id.name()).isEmpty();
  }

  @Override
  public Optional<RunState> await(RunId id, Duration most)
      throws IOException, InterruptedException {
    var deadline = System.nanoTime() + most.toNanos();
    var state = find(id);
    while (state.filter(its -> its instanceof RunState.Running).isPresent()
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
      shell.get().signalGroup("KILL"); // Its number is its own as long as anybody is left in it.
    }
    end(id, folder(id));
  }

  // By the group as well as by the mark: some may have thrown off the one or the other. And by the
  // mark again and again: what is being ended may have started another.
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

  // First it is taken away, so that nothing is started in it while it is looked for what runs.
  @Override
  public void remove(RunId id) throws IOException {
    var folder = folder(id);
    if (folder.exists()) {
      folder.leave(aside(id));
    }
    for (var its : folders()) {
      var name = its.getFileName().toString();
      if (name.startsWith(id.name() + ASIDE)) {
        end(id, new RunFolder(its));
        RunFolder.delete(its);
      }
    }
  }

  @Override
  public Set<RunId> all() throws IOException {
    var all = new LinkedHashSet<RunId>();
    for (var its : folders()) {
      var name = its.getFileName().toString().split(ASIDE, 2)[0];
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
