package io.leasehold.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A server that runs already: another process's, or left behind by one that was killed.
 *
 * @param port where it listens
 * @param password its superuser's
 */
public record OtherServer(int port, String password) {

  /** Only looks: a lock taken to find out would refuse a program that starts at that moment. */
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

  /** Where a database of this server is found, without user and password. */
  public String jdbcUrl(String database) {
    return "jdbc:postgresql://localhost:%d/%s".formatted(port, database);
  }
}
