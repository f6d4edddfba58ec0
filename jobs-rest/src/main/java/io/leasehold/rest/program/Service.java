package io.leasehold.rest.program;

import com.google.inject.Guice;
import com.google.inject.Injector;
import io.leasehold.db.SecureDatabase;
import io.leasehold.engine.JobEngine;
import io.leasehold.rest.RestServer;
import java.time.Duration;

/** All parts of this process, started and stopped in the order of their dependencies. */
final class Service {

  private final Injector injector;
  private final SecureDatabase database;
  private final JobEngine engine;
  private final RestServer server;

  private Service(Injector injector) {
    this.injector = injector;
    this.database = injector.getInstance(SecureDatabase.class);
    this.engine = injector.getInstance(JobEngine.class);
    this.server = injector.getInstance(RestServer.class);
  }

  /** Creates all parts and starts none. */
  static Service of(ServiceModule module) {
    return new Service(Guice.createInjector(module));
  }

  /** Verifies the database and opens it. */
  void open() {
    database.start();
  }

  /**
   * Starts the parts that work on the database, and serves.
   *
   * @return the port that it listens on
   */
  int serve() {
    engine.start();
    return server.start();
  }

  <T> T part(Class<T> type) {
    return injector.getInstance(type);
  }

  /** Stops: accepts no more requests, ends streams, lets jobs finish, then closes the database. */
  void stop(Duration grace) {
    try {
      server.stop(grace);
    } finally {
      try {
        engine.stop(grace);
      } finally {
        database.close();
      }
    }
  }
}
