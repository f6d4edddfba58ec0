package io.leasehold.plans.server;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is made of an engine's answers, without one. */
class ContainerHostTest {

  @TempDir Path folder;

  private ContainerHost answering(String script) throws IOException {
    var docker = folder.resolve("docker");
    Files.writeString(docker, "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(docker, PosixFilePermissions.fromString("rwx------"));
    return new ContainerHost(docker.toString(), "postgres:18", new ServerSettings(Map.of()));
  }

  @Test
  void killWithoutAContainerDoesNothing() throws IOException {
    var host = answering("echo 'Error response from daemon: No such container: x' >&2; exit 1");

    assertThatCode(() -> host.kill(new ServerFolder(folder))).doesNotThrowAnyException();
  }

  /** Then its folder has to stay, because it is the only record of the container. */
  @Test
  void failsIfAContainerMayStillExist() throws IOException {
    var host = answering("echo 'Cannot connect to the Docker daemon' >&2; exit 1");

    assertThatThrownBy(() -> host.kill(new ServerFolder(folder)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Cannot connect");
  }
}
