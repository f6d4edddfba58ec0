package io.leasehold.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.runs.process.MarkedProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class ProcessRunnerTest extends RunnerContract {

  @Override
  Runner runner() {
    return new ProcessRunner(folder);
  }

  @Override
  RunSpec script(String script) {
    return RunSpec.of("sh", "-c", script);
  }

  @Test
  void concurrentStartsStartTheRunOnce() throws Exception {
    var spec = script("echo begun >>../begun; while :; do sleep 0.1; done");
    Callable<Runner> start = () -> start(spec);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var done : threads.invokeAll(Collections.nCopies(10, start))) {
        done.get();
      }
    }

    await().atMost(LONG).until(() -> Files.exists(folder.resolve(id.name()).resolve("begun")));
    runner().stop(id, Duration.ZERO);
    assertThat(folder.resolve(id.name()).resolve("begun")).hasContent("begun");
  }

  private Runner start(RunSpec spec) throws IOException, InterruptedException {
    var another = runner();
    another.prepare(id, spec);
    another.start(id, spec);
    return another;
  }

  @Test
  void runDoesNotInheritTheWorkersEnvironment() throws Exception {
    start(id, RunSpec.of("env").with("SIZE", "7"));
    end();

    var names = log(0).lines().map(line -> line.split("=", 2)[0]).collect(Collectors.toSet());

    assertThat(names)
        .containsExactlyInAnyOrder(
            "HOME", "LEASEHOLD_OUTPUTS", "LEASEHOLD_RUN", "PATH", "PWD", "SIZE");
  }

  /**
   * What starts the run is the platform's, and loads no library and reads no file that it names.
   */
  @Test
  void variablesOfARunReachTheRunAndNotTheShellAroundIt() throws Exception {
    start(
        id,
        script("env; echo ---; tr '\\0' '\\n' </proc/$PPID/environ")
            .with("LD_BIND_NOW", "1")
            .with("ENV", "/nowhere")
            .with("folder", "mine")
            .with("HOME", "/run/home"));
    end();

    var parts = log(0).split("---\n", 2);
    assertThat(parts[0].lines())
        .contains("LD_BIND_NOW=1", "ENV=/nowhere", "folder=mine", "HOME=/run/home")
        .noneMatch(line -> line.startsWith("LEASEHOLD_ENV") || line.startsWith("LEASEHOLD_NAME"));
    assertThat(parts[1].lines())
        .contains("LEASEHOLD_RUN=" + id.name())
        .noneMatch(line -> line.matches("(LD_BIND_NOW|ENV|folder|HOME)=.*"));
  }

  @Test
  void runsAnyPath() throws Exception {
    start(id, RunSpec.of("/bin/sh", "-c", "echo $PATH; exit 5").with("PATH", "/nowhere"));

    assertThat(end()).contains(new RunState.Exited(5));
    assertThat(log(0)).isEqualTo("/nowhere\n");
  }

  @Test
  void passesValuesOfSeveralLines() throws Exception {
    start(id, script("printf '%s\\n' \"$KEY\"").with("KEY", "a\n'b'\n\"$c`d`\\"));
    end();

    assertThat(log(0)).isEqualTo("a\n'b'\n\"$c`d`\\\n");
  }

  @Test
  void reportsAMissingProgram() throws Exception {
    start(id, RunSpec.of("no-such-program"));

    assertThat(end()).contains(new RunState.Exited(127));
    assertThat(log(0)).contains("no-such-program");
  }

  @Test
  void runHasItsOwnSession() throws Exception {
    start(id, script("while :; do sleep 0.1; done"));

    assertThat(words(shell()).get(3)).isEqualTo(Long.toString(shell()));
  }

  @Test
  void isGoneAfterItsProcessesWereKilled() throws Exception {
    start(id, script("while :; do sleep 0.1; done"));

    MarkedProcesses.kill(id.name());

    assertThat(end()).contains(new RunState.Gone());
  }

  /** The number of its process is another's by now. */
  @Test
  void isNotMistakenForAnotherProcess() throws Exception {
    start(id, script("while :; do sleep 0.1; done"));
    shell();
    var lines = Files.readAllLines(process());
    MarkedProcesses.kill(id.name());
    var mine = Long.toString(ProcessHandle.current().pid());

    Files.write(process(), List.of(mine, lines.get(1), lines.get(2)));

    assertThat(runner().find(id)).contains(new RunState.Gone());
  }

  /** The machine was rebooted, and has a process of the same number and start time. */
  @Test
  void isNotMistakenForAProcessOfAnotherBoot() throws Exception {
    start(id, script("while :; do sleep 0.1; done"));
    shell();
    var lines = Files.readAllLines(process());

    Files.write(process(), List.of(lines.get(0), lines.get(1), "another boot"));

    assertThat(runner().find(id)).contains(new RunState.Gone());
  }

  /** The worker that prepared the run died before it started the run. */
  @Test
  void preparedRunIsStartedByTheNextWorker() throws Exception {
    runner().prepare(id, script("echo begun"));
    assertThat(runner().find(id)).contains(new RunState.Prepared());

    start(id, script("echo begun"));

    assertThat(end()).contains(new RunState.Exited(0));
  }

  /** Another who was slow comes to write its files when the run has made its own of them. */
  @Test
  void laterPrepareKeepsTheRunsFiles() throws Exception {
    var spec = script("echo changed >model; while :; do sleep 0.1; done").file("model", "as given");
    start(id, spec);
    var model = folder.resolve(id.name()).resolve("work/model");
    await().atMost(LONG).until(() -> Files.readString(model).equals("changed\n"));

    runner().prepare(id, spec);

    assertThat(model).hasContent("changed");
    assertThat(folder).isDirectoryNotContaining(path -> path.toString().contains("~"));
  }

  /** A worker was killed while it prepared the run, or removed it. */
  @Test
  void removesHalfPreparedRuns() throws Exception {
    Files.createDirectories(folder.resolve(id.name() + "~1").resolve("work"));
    assertThat(runner().find(id)).isEmpty();
    assertThat(runner().all()).containsExactly(id);

    runner().remove(id);

    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void canBeRemovedConcurrently() throws Exception {
    start(id, script("for i in $(seq 300); do mkdir a$i; echo >a$i/b; done"));
    end();
    Callable<Boolean> remove =
        () -> {
          runner().remove(id);
          return true;
        };

    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var done : threads.invokeAll(Collections.nCopies(10, remove))) {
        assertThat(done.get()).isTrue();
      }
    }

    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void stopKillsProcessesThatLeftTheGroup() throws Exception {
    start(
        id,
        script(
            """
            setsid sh -c 'echo $$ >../a; exec sleep 1000' &
            env -i sh -c 'trap "" TERM; echo $$ >../b; exec sleep 1000' &
            wait\
            """));
    await().atMost(LONG).until(() -> pid("a") > 0 && pid("b") > 0);
    var left = List.of(pid("a"), pid("b"));

    runner().stop(id, Duration.ofMillis(500));

    await().atMost(LONG).until(() -> left.stream().noneMatch(ProcessRunnerTest::isAlive));
  }

  @Test
  void stopKillsProcessesOfAnEndedRun() throws Exception {
    start(id, script("sleep 1000 & echo $! >../a"));
    assertThat(end()).contains(new RunState.Exited(0));
    var left = pid("a");
    assertThat(isAlive(left)).isTrue();

    runner().remove(id);

    await().atMost(LONG).until(() -> !isAlive(left));
  }

  @Test
  void removesFoldersWithoutPermissions() throws Exception {
    start(id, script("mkdir a; echo 1 >a/b; chmod 0 a; ln -s / root"));
    end();

    runner().remove(id);

    assertThat(folder.resolve(id.name())).doesNotExist();
    assertThat(Path.of("/proc")).exists();
  }

  @Test
  void folderIsPrivate() throws IOException {
    var runs = folder.resolve("runs");

    var _ = new ProcessRunner(runs);

    assertThat(Files.getPosixFilePermissions(runs)).hasSize(3);
  }

  private Path process() {
    return folder.resolve(id.name()).resolve("process");
  }

  private long shell() throws IOException {
    await().atMost(LONG).until(() -> Files.exists(process()));
    return Long.parseLong(Files.readAllLines(process()).getFirst());
  }

  private long pid(String file) throws IOException {
    var path = folder.resolve(id.name()).resolve(file);
    return Files.exists(path) && Files.size(path) > 1
        ? Long.parseLong(Files.readString(path).strip())
        : 0;
  }

  // Behind the command's name: state, parent, group, session.
  private static List<String> words(long pid) throws IOException {
    var stat = Files.readString(Path.of("/proc/%d/stat".formatted(pid)));
    return List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1));
  }

  private static boolean isAlive(long pid) {
    try {
      return !words(pid).getFirst().equals("Z");
    } catch (IOException e) {
      return false;
    }
  }
}
