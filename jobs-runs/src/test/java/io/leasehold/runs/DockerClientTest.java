package io.leasehold.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import io.leasehold.runs.docker.Docker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a run's variables do to the program {@code docker}, which is replaced by a script that
 * records how it was called.
 */
class DockerClientTest {

  /** Keeps what it was called with, and what it was given to read. */
  private static final String RECORDING =
      """
      #!/bin/sh
      case $1 in
        container)
          [ ! -e "$0.vanish" ] || rm "$0"
          echo 'Error: No such container' >&2
          exit 1 ;;
        create)
          env >"$0.environment"
          printf '%s\\n' "$@" >"$0.words"
          while [ $# -gt 0 ]; do
            if [ "$1" = --env-file ]; then
              cat "$2" >"$0.variables"
              stat -c '%a' "$2" "$(dirname "$2")" >"$0.rights"
            fi
            shift
          done
          echo made
          exit EXIT_CODE ;;
      esac
      """;

  private static final Map<String, String> DANGEROUS =
      Map.of(
          "DOCKER_HOST", "tcp://203.0.113.1:2375",
          "DOCKER_CONFIG", "/run/config",
          "DOCKER_CONTEXT", "run-context",
          "HTTP_PROXY", "http://203.0.113.1:3128",
          "LD_PRELOAD", "/run/library.so",
          "PATH", "/run/programs",
          "HOME", "/run/home",
          "SECRET", "a=b #'\"$HOME  ");

  @TempDir Path folder;

  private final RunId id =
      new RunId(new TenantId(UUID.randomUUID()), new JobId(UUID.randomUUID()), 1);

  private DockerRunner runner(int exitCode) throws IOException {
    Files.writeString(client(), RECORDING.replace("EXIT_CODE", Integer.toString(exitCode)));
    Files.setPosixFilePermissions(client(), PosixFilePermissions.fromString("rwx------"));
    var worker = new TreeMap<>(Map.of("DOCKER_HOST", "unix:///worker.sock", "PGPASSWORD", "open"));
    worker.put("PATH", System.getenv("PATH"));
    return new DockerRunner(
        "test", folder.resolve("runs"), List.of(), new Docker(client().toString(), worker));
  }

  private Path client() {
    return folder.resolve("docker");
  }

  private List<String> recorded(String what) throws IOException {
    return Files.readAllLines(folder.resolve("docker." + what));
  }

  private static RunSpec spec(Map<String, String> variables) {
    var spec = RunSpec.of("true").image("busybox");
    for (var variable : variables.entrySet()) {
      spec = spec.with(variable.getKey(), variable.getValue());
    }
    return spec;
  }

  @Test
  void variablesOfARunReachTheContainerAndNotTheClient() throws Exception {
    runner(0).prepare(id, spec(DANGEROUS));

    assertThat(recorded("variables"))
        .containsExactlyInAnyOrderElementsOf(
            DANGEROUS.entrySet().stream().map(it -> it.getKey() + "=" + it.getValue()).toList());
    assertThat(recorded("environment"))
        .contains("DOCKER_HOST=unix:///worker.sock", "PATH=" + System.getenv("PATH"))
        .noneMatch(line -> DANGEROUS.values().stream().anyMatch(line::endsWith))
        .noneMatch(line -> line.startsWith("SECRET=") || line.startsWith("LD_PRELOAD="));
  }

  @Test
  void commandLineOfTheClientShowsNoVariable() throws Exception {
    runner(0).prepare(id, spec(DANGEROUS));

    assertThat(recorded("words"))
        .contains("--env-file")
        .noneMatch(word -> DANGEROUS.keySet().stream().anyMatch(word::contains))
        .noneMatch(word -> DANGEROUS.values().stream().anyMatch(word::contains));
  }

  @Test
  void clientInheritsOnlyNeededVariables() throws Exception {
    runner(0).prepare(id, spec(Map.of()));

    assertThat(recorded("environment"))
        .contains("DOCKER_HOST=unix:///worker.sock")
        .allMatch(line -> line.matches("(DOCKER_HOST|PATH|PWD|SHLVL|_)=.*"));
  }

  @Test
  void fileOfTheVariablesIsPrivate() throws Exception {
    runner(0).prepare(id, spec(DANGEROUS));

    assertThat(recorded("rights")).containsExactly("600", "700");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 125})
  void fileOfTheVariablesIsRemovedHoweverTheClientEnds(int exitCode) throws Exception {
    if (exitCode == 0) {
      runner(exitCode).prepare(id, spec(DANGEROUS));
    } else {
      assertThatIOException().isThrownBy(() -> runner(exitCode).prepare(id, spec(DANGEROUS)));
    }

    assertNoFileOfVariables();
  }

  @Test
  void noFileOfTheVariablesIsLeftWithoutAClient() throws Exception {
    var runner = runner(0);
    Files.createFile(folder.resolve("docker.vanish"));

    assertThatIOException().isThrownBy(() -> runner.prepare(id, spec(DANGEROUS)));

    assertThat(client()).doesNotExist();
    assertNoFileOfVariables();
  }

  private void assertNoFileOfVariables() throws IOException {
    try (var files = Files.walk(folder.resolve("runs"))) {
      assertThat(files.filter(Files::isRegularFile)).isEmpty();
    }
  }

  /** A file of variables has one in each line; the client reads no more than 64 KiB of a line. */
  @Test
  void valuesThatAnEnvFileCannotHoldAreRefused() {
    for (var value : List.of("a\nb", "a\r", "a\0b", "\ud800", "x".repeat(65_536))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> runner(0).prepare(id, spec(Map.of("KEY", value))))
          .withMessageContaining("KEY")
          .withMessageContaining("RunSpec.file");
    }
    assertThat(folder.resolve("docker.words")).doesNotExist();
  }

  @Test
  void longestValueIsPassed() throws Exception {
    var longest = "x".repeat(65_535 - "KEY=".length());

    runner(0).prepare(id, spec(Map.of("KEY", longest)));

    assertThat(recorded("variables")).containsExactly("KEY=" + longest);
  }
}
