package io.leasehold.embedded;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * A server that runs on its data.
 *
 * @param postgres the server
 * @param postmaster its process
 * @param data where its data are
 * @param password the superuser's
 */
record RunningCluster(
    EmbeddedPostgres postgres, Postmaster postmaster, Path data, String password) {

  int port() {
    return postgres.getPort();
  }

  /** Stops the server, and returns when it has ended. */
  void stop() {
    try {
      postgres.close();
      // The library waits five seconds and no longer; a last checkpoint may take more.
      if (postmaster.isAlive()) {
        postmaster.stop();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot stop PostgreSQL in " + data, e);
    }
  }
}
