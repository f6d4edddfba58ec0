package io.leasehold.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.leasehold.runs.docker.Docker;
import java.io.IOException;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Where a Docker engine answers that has an image with a shell: busybox, or another that is named.
 */
class DockerRunnerTest extends RunnerContract {

  private static final String IMAGE = System.getProperty("leasehold.test.run-image", "busybox");

  private final String fleet = "test-" + UUID.randomUUID();
  private final Docker docker = Docker.of("docker");

  @BeforeEach
  void requireAnEngine() throws InterruptedException {
    assumeTrue(hasImage(), "no Docker engine answers that has the image " + IMAGE);
  }

  private boolean hasImage() throws InterruptedException {
    try {
      return docker.ask("image", "inspect", IMAGE).isDone();
    } catch (IOException e) {
      return false; // There is no such program.
    }
  }

  @AfterEach
  @Override
  void leaveNothing() throws Exception {
    if (hasImage()) {
      super.leaveNothing();
    }
  }

  @Override
  Runner runner() {
    return DockerRunner.of(fleet, folder).options("--network=none");
  }

  @Override
  RunSpec script(String script) {
    return RunSpec.of("sh", "-c", script).image(IMAGE);
  }

  @Test
  void labelsTheContainerWithItsRun() throws Exception {
    start(id, script("exit 0"));

    var labels =
        docker.ask("inspect", "--format", "{{json .Config.Labels}}", fleet + "_" + id.name());

    assertThat(labels.out())
        .contains(id.tenant().toString())
        .contains(id.job().toString())
        .contains("\"io.leasehold.attempt\":\"1\"")
        .contains(fleet);
  }

  @Test
  void ignoresContainersOfOtherFleets() throws Exception {
    start(id, script("exit 0"));

    var another = DockerRunner.of("another", folder.resolve("another"));

    assertThat(another.all()).isEmpty();
    assertThat(another.find(id)).isEmpty();
  }

  /** The worker that made the container died, or sleeps and would start it later. */
  @Test
  void replacesAContainerThatWasNotStarted() throws Exception {
    var name = fleet + "_" + id.name();
    var forsaken =
        docker
            .ask("create", "--name", name, "--label", "io.leasehold.fleet=" + fleet, IMAGE, "true")
            .out();
    assertThat(runner().find(id)).contains(new RunState.Prepared());

    start(id, script("exit 9"));

    assertThat(end()).contains(new RunState.Exited(9));
    assertThat(docker.ask("start", forsaken).isDone()).isFalse();
    assertThat(runner().find(id)).contains(new RunState.Exited(9));
  }

  /** What runs inside must not have its worker read files of the machine. */
  @Test
  void collectsNoLinks() throws Exception {
    start(id, script("cd \"$LEASEHOLD_OUTPUTS\"; echo 1 >a; ln -s /etc/passwd b; ln -s / c"));
    end();

    assertThat(runner().outputs(id)).isDirectoryContaining("glob:**a");
    assertThat(runner().outputs(id).toFile().list()).containsExactly("a");
  }

  @Test
  void requiresAnImage() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> runner().prepare(id, RunSpec.of("true")))
        .withMessageContaining("image");
  }
}
