package io.leasehold.plans.server;

import java.nio.file.Path;

/**
 * The folder of one server: its data, its socket and its log. It is its attempt's alone.
 *
 * @param path absolute
 */
public record ServerFolder(Path path) {

  /** Where a server's socket is, in its folder. */
  public static final String SOCKETS = "s";

  /** Unlike that of any other. */
  public String name() {
    return String.valueOf(path.getFileName());
  }

  /** What is copied into snapshots and back. */
  public Path data() {
    return path.resolve("data");
  }

  /** Where clients find the server; nobody else may look there. */
  public Path sockets() {
    return path.resolve(SOCKETS);
  }

  /** What the server logs. */
  public Path log() {
    return path.resolve("server.log");
  }
}
