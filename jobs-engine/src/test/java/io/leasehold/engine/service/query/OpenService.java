package io.leasehold.engine.service.query;

import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Module;
import io.leasehold.db.DbConfig;
import io.leasehold.db.SecureDatabase;
import io.leasehold.db.SecureDbModule;
import io.leasehold.db.Transactions;
import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.EngineModule;
import io.leasehold.engine.JobEngine;
import io.leasehold.engine.RunningEngine;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.deadletters.DeadLetters;
import io.leasehold.jobs.schedules.Schedules;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The service on a test's database. Nothing works on its jobs, unless the engine is started. */
public final class OpenService implements AutoCloseable {

  private final Injector injector;

  private OpenService(Injector injector) {
    this.injector = injector;
  }

  /** Opens it, with the handlers that the modules register. */
  public static OpenService on(TestDatabase database, EngineConfig config, Module... modules) {
    return on(RunningEngine.at(database.jdbcUrl()).build(), config, modules);
  }

  /** Opens it on a database that is reached in a way of its own. */
  public static OpenService on(DbConfig db, EngineConfig config, Module... modules) {
    var all = new ArrayList<>(List.of(modules));
    all.add(new SecureDbModule(db));
    all.add(new EngineModule(config));
    var service = new OpenService(Guice.createInjector(all));
    service.injector.getInstance(SecureDatabase.class).start();
    return service;
  }

  /** What callers hold. */
  public JobService jobs() {
    return injector.getInstance(JobService.class);
  }

  /** What callers hold to look after dead letters. */
  public DeadLetters deadLetters() {
    return injector.getInstance(DeadLetters.class);
  }

  /** What callers hold to have jobs submitted again and again. */
  public Schedules schedules() {
    return injector.getInstance(Schedules.class);
  }

  /** The way to the database. */
  public Transactions transactions() {
    return injector.getInstance(Transactions.class);
  }

  /** Starts to work on jobs. */
  public void start() {
    injector.getInstance(JobEngine.class).start();
  }

  @Override
  public void close() {
    injector.getInstance(JobEngine.class).stop(Duration.ofSeconds(2));
    injector.getInstance(SecureDatabase.class).close();
  }
}
