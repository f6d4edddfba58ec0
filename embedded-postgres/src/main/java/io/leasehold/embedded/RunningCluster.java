package io.leasehold.embedded;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * A server that is running on its data.
 *
 * @param postgres the server
 * @param postmaster the process of the server
 * @param data the folder of its data
 * @param password the superuser's password
 */
record RunningCluster(
    EmbeddedPostgres postgres, Postmaster postmaster, Path data, String password) {

  int port() {
    return postgres.getPort();
  }

  /** Stops the server, and returns once it has ended. */
  void stop() {
    try {
      postgres.close();
      // The library waits for only five seconds; a last checkpoint may take longer.
      if (postmaster.isAlive()) {
        postmaster.stop();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot stop PostgreSQL in " + data, e);
    }
  }
}
