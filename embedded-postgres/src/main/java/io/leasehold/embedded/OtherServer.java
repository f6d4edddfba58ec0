package io.leasehold.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A server that is already running: one of another process, or one left by a killed process.
 *
 * @param port the port on which it listens
 * @param password the password of its superuser
 */
public record OtherServer(int port, String password) {

  /**
   * This only reads: taking a lock to find out would make a program fail that starts at that
   * moment.
   */
  static Optional<OtherServer> in(Path folder) {
    var data = Cluster.dataIn(folder);
    try {
      var file = PidFile.in(data);
      if (file.isEmpty() || file.get().port().isEmpty() || Postmaster.in(data).isEmpty()) {
        return Optional.empty();
      }
      var password = Files.readString(ClusterPassword.in(folder));
      return Optional.of(new OtherServer(file.get().port().getAsInt(), password));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot look at the server in " + folder, e);
    }
  }

  /** Returns the URL of a database of this server, without user and password. */
  public String jdbcUrl(String database) {
    return "jdbc:postgresql://localhost:%d/%s".formatted(port, database);
  }
}
