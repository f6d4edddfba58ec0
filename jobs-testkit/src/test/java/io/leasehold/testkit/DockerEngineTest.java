package io.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DockerEngineTest {

  @TempDir private Path folder;

  @Test
  void answersAtItsSocket() throws IOException {
    try (var engine = listen(folder.resolve("docker.sock"))) {
      assertThat(engine.isOpen()).isTrue();
      assertThat(atSocket("docker.sock").answers()).isTrue();
    }
  }

  @Test
  void doesNotAnswerIfItNeverRan() {
    assertThat(atSocket("docker.sock").answers()).isFalse();
  }

  @Test
  void doesNotAnswerAfterItStopped() throws IOException {
    listen(folder.resolve("docker.sock")).close();

    assertThat(folder.resolve("docker.sock")).exists();
    assertThat(atSocket("docker.sock").answers()).isFalse();
  }

  @Test
  void answersOverTheNetwork() throws IOException {
    try (var engine = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(atPort(engine.getLocalPort()).answers()).isTrue();
    }
  }

  @Test
  void doesNotAnswerAtAClosedPort() throws IOException {
    var engine = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    engine.close();

    assertThat(atPort(engine.getLocalPort()).answers()).isFalse();
  }

  @Test
  void isSearchedInTheUsersFolders() throws IOException {
    var environment = Map.of("XDG_RUNTIME_DIR", folder.toString());

    try (var engine = listen(folder.resolve("docker.sock"))) {
      assertThat(engine.isOpen()).isTrue();
      assertThat(DockerEngine.of(environment).answers()).isTrue();
    }
  }

  private DockerEngine atSocket(String name) {
    return DockerEngine.of(Map.of("DOCKER_HOST", "unix://" + folder.resolve(name)));
  }

  private static DockerEngine atPort(int port) {
    return DockerEngine.of(Map.of("DOCKER_HOST", "tcp://localhost:" + port));
  }

  private static ServerSocketChannel listen(Path socket) throws IOException {
    return ServerSocketChannel.open(StandardProtocolFamily.UNIX)
        .bind(UnixDomainSocketAddress.of(socket));
  }
}
