package io.leasehold.runs;

import io.leasehold.runs.docker.Container;
import io.leasehold.runs.docker.Docker;
import io.leasehold.runs.docker.Docker.Answer;
import io.leasehold.runs.docker.VariablesFile;
import io.leasehold.runs.process.RunFolder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs containers with the {@code docker} command line. Each container has the run's name, which is
 * unique in an engine, and labels that name its owner. Workers that share an engine find each
 * other's runs, on whichever machine they are.
 */
public final class DockerRunner implements Runner {

  private static final Logger log = LoggerFactory.getLogger(DockerRunner.class);

  private static final Pattern FLEET_NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,40}");
  private static final String RUN = "io.leasehold.run";
  private static final String INSIDE = "/leasehold";
  private static final Duration LOOK_EVERY = Duration.ofMillis(500);
  private static final Duration LAST_LINES = Duration.ofSeconds(10);

  private final String fleet;
  private final Path root;
  private final List<String> options;
  private final Docker docker;
  private final Map<RunId, Process> logs = new ConcurrentHashMap<>();

  /** Containers that this process created but has not started. */
  private final Map<RunId, String> prepared = new ConcurrentHashMap<>();

  DockerRunner(String fleet, Path root, List<String> options, Docker docker) {
    if (!FLEET_NAME.matcher(fleet).matches()) {
      throw new IllegalArgumentException(
          "fleet must be up to 41 small letters, digits and hyphens, not " + fleet);
    }
    this.fleet = fleet;
    this.root = root.toAbsolutePath();
    this.options = List.copyOf(options);
    this.docker = docker;
  }

  /**
   * Runs the containers of a fleet of workers that share one database.
   *
   * @param fleet up to 41 lower-case letters, digits and hyphens; a different fleet allows workers
   *     on another database to share the engine
   * @param folder for logs and outputs while runs are followed
   * @throws IllegalArgumentException if the fleet's name is invalid
   */
  public static DockerRunner of(String fleet, Path folder) {
    return new DockerRunner(fleet, folder, List.of(), Docker.of("docker"));
  }

  /** Creates containers with further options, such as {@code --network=none}; default none. */
  public DockerRunner options(String... options) {
    return new DockerRunner(fleet, root, List.of(options), docker);
  }

  private String name(RunId id) {
    return fleet + "_" + id.name();
  }

  private Path folder(RunId id) {
    return root.resolve(id.name());
  }

  @Override
  public void prepare(RunId id, RunSpec spec) throws IOException, InterruptedException {
    var image =
        spec.image().orElseThrow(() -> new IllegalArgumentException("a container needs an image"));
    VariablesFile.require(spec.environment());
    if (!isStarted(id)) {
      var folder = new RunFolder(folder(id));
      folder.prepare(spec.files());
      var created = create(id, spec, image);
      copyInto(created, folder);
      prepared.put(id, created);
    }
  }

  // Starts the container by its id: if another process removed it, or took it for abandoned and
  // created a new one, this id no longer exists. The id is used once, because an engine restarts a
  // container that has exited.
  @Override
  public void start(RunId id, RunSpec spec) throws IOException, InterruptedException {
    var container = prepared.remove(id);
    if (container != null) {
      require(docker.ask("start", container), "start");
    } else if (find(id).filter(state -> !(state instanceof RunState.Prepared)).isEmpty()) {
      throw new IOException("run %s is not prepared".formatted(id));
    }
  }

  // A container that was only created belongs to a worker that never started it. The container is
  // created again, so that the earlier worker can never start it. If it was started meanwhile, this
  // removal fails.
  private boolean isStarted(RunId id) throws IOException, InterruptedException {
    var found = Container.find(docker, name(id));
    if (found.isPresent() && found.get().isCreated()) {
      docker.ask("rm", found.get().id());
      found = Container.find(docker, name(id));
    }
    return found.isPresent();
  }

  private String create(RunId id, RunSpec spec, String image)
      throws IOException, InterruptedException {
    var words = new ArrayList<>(List.of("create", "--name", name(id)));
    words.addAll(List.of("--label", Container.FLEET + "=" + fleet));
    words.addAll(List.of("--label", RUN + "=" + id.name()));
    words.addAll(List.of("--label", "io.leasehold.tenant=" + id.tenant()));
    words.addAll(List.of("--label", "io.leasehold.job=" + id.job()));
    words.addAll(List.of("--label", "io.leasehold.attempt=" + id.attempt()));
    words.addAll(List.of("--workdir", INSIDE + "/work"));
    words.addAll(List.of("--env", "LEASEHOLD_RUN=" + id.name()));
    words.addAll(List.of("--env", "LEASEHOLD_OUTPUTS=" + INSIDE + "/outputs"));
    try (var variables = VariablesFile.write(folder(id), spec.environment())) {
      words.addAll(List.of("--env-file", variables.path().toString()));
      words.addAll(options);
      words.add(image);
      words.addAll(spec.command());
      return require(docker.ask(words), "create").out();
    }
  }

  private void copyInto(String container, RunFolder folder)
      throws IOException, InterruptedException {
    // The user inside the container can be any user.
    var all = PosixFilePermissions.fromString("rwxrwxrwx");
    Files.setPosixFilePermissions(folder.work(), all);
    Files.setPosixFilePermissions(folder.outputs(), all);
    for (var part : List.of(folder.work(), folder.outputs())) {
      require(docker.ask("cp", part.toString(), container + ":" + INSIDE + "/"), "cp");
    }
  }

  private static Answer require(Answer answer, String what) throws IOException {
    if (!answer.isDone()) {
      log.warn("docker {} failed: {}", what, answer.err());
      throw new IOException("the container engine refused to %s".formatted(what));
    }
    return answer;
  }

  @Override
  public Optional<RunState> find(RunId id) throws IOException, InterruptedException {
    return Container.find(docker, name(id)).map(DockerRunner::state);
  }

  private static RunState state(Container container) {
    if (container.isCreated()) {
      return new RunState.Prepared();
    }
    if (container.isExited()) {
      return new RunState.Exited(container.exitCode());
    }
    return container.isRunning() ? new RunState.Running() : new RunState.Gone();
  }

  @Override
  public Optional<RunState> await(RunId id, Duration most)
      throws IOException, InterruptedException {
    var deadline = System.nanoTime() + Math.max(most.toNanos(), LOOK_EVERY.toNanos());
    var state = find(id);
    while (state.filter(RunState.Running.class::isInstance).isPresent()
        && System.nanoTime() - deadline < 0) {
      Thread.sleep(LOOK_EVERY);
      state = find(id);
    }
    return state;
  }

  /** The log as Docker has it: Docker follows it into a file of this process. */
  @Override
  public InputStream log(RunId id, long from) throws IOException, InterruptedException {
    var file = folder(id).resolve("log-" + ProcessHandle.current().pid());
    var following = logs.get(id);
    if (following == null || (!following.isAlive() && following.exitValue() != 0)) {
      new RunFolder(folder(id)).make();
      following = docker.follow(file, "logs", "--follow", name(id));
      logs.put(id, following);
    }
    if (find(id).filter(RunState.Running.class::isInstance).isEmpty()) {
      if (!following.waitFor(LAST_LINES.toSeconds(), TimeUnit.SECONDS)) {
        throw new IOException("the log of run %s is not all there yet".formatted(id));
      }
    }
    return RunFolder.read(file, from);
  }

  @Override
  public Path outputs(RunId id) throws IOException, InterruptedException {
    var folder = new RunFolder(folder(id));
    var outputs = folder.outputs();
    RunFolder.delete(outputs);
    folder.make();
    var from = name(id) + ":" + INSIDE + "/outputs";
    var answer = docker.ask("cp", from, folder(id).toString());
    if (!answer.err().contains("Could not find the file")) { // The run may have deleted it.
      require(answer, "cp");
    }
    RunFolder.removeLinks(outputs); // Links from a container may point to files of this machine.
    return outputs;
  }

  @Override
  public void stop(RunId id, Duration grace) throws IOException {
    var answer = docker.tell("stop", "-t", Long.toString(grace.toSeconds()), name(id));
    if (!answer.isAbsent()) {
      require(answer, "stop");
    }
  }

  @Override
  public void remove(RunId id) throws IOException {
    prepared.remove(id);
    var answer = docker.tell("rm", "--force", "--volumes", name(id));
    if (!answer.isAbsent()) {
      require(answer, "rm");
    }
    var following = logs.remove(id);
    if (following != null) {
      following.destroy();
    }
    RunFolder.delete(folder(id));
  }

  @Override
  public Set<RunId> all() throws IOException, InterruptedException {
    var answer =
        docker.ask(
            "ps",
            "--all",
            "--filter",
            "label=%s=%s".formatted(Container.FLEET, fleet),
            "--format",
            "{{.Label \"%s\"}}".formatted(RUN));
    var all = new LinkedHashSet<RunId>();
    require(answer, "ps").out().lines().forEach(label -> RunId.parse(label).ifPresent(all::add));
    all.addAll(followed());
    return all;
  }

  // If another machine removed a container, its folder remains on this one.
  private Set<RunId> followed() throws IOException {
    if (!Files.isDirectory(root)) {
      return Set.of();
    }
    try (var folders = Files.list(root)) {
      return folders
          .flatMap(folder -> RunId.parse(folder.getFileName().toString()).stream())
          .collect(Collectors.toUnmodifiableSet());
    }
  }
}
