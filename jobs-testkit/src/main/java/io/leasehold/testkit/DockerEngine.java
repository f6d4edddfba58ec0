package io.leasehold.testkit;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks quickly whether a Docker engine answers; Testcontainers takes seconds to find out.
 *
 * @param addresses where it may listen, as in {@code DOCKER_HOST}
 */
record DockerEngine(List<URI> addresses) {

  private static final int CONNECT_LIMIT_MILLIS = 1_000;

  /** Returns the engine at the environment's address, or otherwise at the usual places. */
  static DockerEngine of(Map<String, String> environment) {
    var host = environment.get("DOCKER_HOST");
    return host == null
        ? new DockerEngine(usualPlaces(environment))
        : new DockerEngine(List.of(URI.create(host)));
  }

  private static List<URI> usualPlaces(Map<String, String> environment) {
    return Stream.of(
            socket("/var", "run/docker.sock"),
            socket(environment.get("XDG_RUNTIME_DIR"), "docker.sock"),
            socket(environment.get("HOME"), ".docker/run/docker.sock"))
        .filter(Objects::nonNull)
        .toList();
  }

  private static @Nullable URI socket(@Nullable String folder, String name) {
    return folder == null ? null : URI.create("unix://" + Path.of(folder, name));
  }

  boolean answers() {
    return addresses.stream().anyMatch(DockerEngine::accepts);
  }

  private static boolean accepts(URI address) {
    try {
      return "unix".equals(address.getScheme())
          ? acceptsLocally(Path.of(address.getPath()))
          : acceptsOverNetwork(address);
    } catch (IOException e) {
      return false; // There is no engine, or this user has no access: both mean no server.
    }
  }

  private static boolean acceptsLocally(Path socket) throws IOException {
    if (!Files.exists(socket)) {
      return false;
    }
    try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      return channel.connect(UnixDomainSocketAddress.of(socket));
    }
  }

  private static boolean acceptsOverNetwork(URI address) throws IOException {
    try (var socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(address.getHost(), address.getPort()), CONNECT_LIMIT_MILLIS);
      return true;
    }
  }
}
