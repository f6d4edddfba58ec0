package io.leasehold.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A server that another process runs, and stops.
 *
 * @param port where it listens
 * @param password its superuser's
 */
public record OtherServer(int port, String password) {

  // The lines of postmaster.pid are PostgreSQL's; the fourth is the port.
  private static final int PORT_LINE = 3;

  static Optional<OtherServer> in(Path folder) {
    if (!Files.exists(folder)) {
      return Optional.empty();
    }
    var lock = ClusterLock.ifFree(folder);
    lock.ifPresent(ClusterLock::close);
    return lock.isPresent() ? Optional.empty() : read(folder);
  }

  private static Optional<OtherServer> read(Path folder) {
    var pidFile = Cluster.dataIn(folder).resolve("postmaster.pid");
    try {
      var lines = Files.exists(pidFile) ? Files.readAllLines(pidFile) : List.<String>of();
      if (lines.size() <= PORT_LINE) {
        return Optional.empty(); // It is still starting.
      }
      var password = Files.readString(ClusterPassword.in(folder));
      return Optional.of(new OtherServer(Integer.parseInt(lines.get(PORT_LINE).strip()), password));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot look at the server in " + folder, e);
    }
  }

  /** Where a database of this server is found, without user and password. */
  public String jdbcUrl(String database) {
    return "jdbc:postgresql://localhost:%d/%s".formatted(port, database);
  }
}
