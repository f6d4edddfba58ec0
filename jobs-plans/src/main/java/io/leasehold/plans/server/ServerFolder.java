package io.leasehold.plans.server;

import java.nio.file.Path;

/**
 * The folder of one server: its data, its socket and its log. It belongs to one attempt.
 *
 * @param path absolute
 */
public record ServerFolder(Path path) {

  /** The name of the subfolder that holds a server's socket. */
  public static final String SOCKETS = "s";

  /** The unique name of the server. */
  public String name() {
    return String.valueOf(path.getFileName());
  }

  /** The data, which are copied into snapshots and back. */
  public Path data() {
    return path.resolve("data");
  }

  /** The folder where clients find the server; no other user can enter it. */
  public Path sockets() {
    return path.resolve(SOCKETS);
  }

  /** The server's log file. */
  public Path log() {
    return path.resolve("server.log");
  }
}
