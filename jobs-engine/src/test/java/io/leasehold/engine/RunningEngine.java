package io.leasehold.engine;

import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Module;
import io.leasehold.db.DbConfig;
import io.leasehold.db.Secret;
import io.leasehold.db.SecureDatabase;
import io.leasehold.db.SecureDbModule;
import io.leasehold.db.Transactions;
import io.leasehold.jobs.JobService;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** An engine that works on a test's database, as a service would have it. */
final class RunningEngine implements AutoCloseable {

  private final Injector injector;

  private RunningEngine(Injector injector) {
    this.injector = injector;
  }

  /** Starts one with the handlers that the module registers. */
  static RunningEngine on(TestDatabase database, EngineConfig config, Module... modules) {
    var secret = new Secret(TestDatabase.PASSWORD);
    var db = DbConfig.of(database.jdbcUrl(), secret, secret).fsyncRequired(false).build();
    var all = new ArrayList<>(List.of(modules));
    all.add(new SecureDbModule(db));
    all.add(new EngineModule(config));
    var engine = new RunningEngine(Guice.createInjector(all));
    engine.injector.getInstance(SecureDatabase.class).start();
    engine.injector.getInstance(JobEngine.class).start();
    return engine;
  }

  JobService jobs() {
    return injector.getInstance(JobService.class);
  }

  Transactions transactions() {
    return injector.getInstance(Transactions.class);
  }

  @Override
  public void close() {
    injector.getInstance(JobEngine.class).stop(Duration.ofSeconds(5));
    injector.getInstance(SecureDatabase.class).close();
  }
}
