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
import io.leasehold.jobs.batches.Batches;
import io.leasehold.jobs.deadletters.DeadLetters;
import io.leasehold.jobs.history.JobWatch;
import io.leasehold.jobs.outputs.JobOutputs;
import io.leasehold.jobs.schedules.Schedules;
import io.leasehold.jobs.spi.HandlerCatalogue;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** An engine that works on a test's database, as a service would have it. */
public final class RunningEngine implements AutoCloseable {

  private final Injector injector;

  private RunningEngine(Injector injector) {
    this.injector = injector;
  }

  /** Starts one with the handlers that the module registers. */
  public static RunningEngine on(TestDatabase database, EngineConfig config, Module... modules) {
    return on(at(database.jdbcUrl()).build(), config, modules);
  }

  /** A test's database as it is found at an address. */
  public static DbConfig.Builder at(String jdbcUrl) {
    var secret = new Secret(TestDatabase.PASSWORD);
    return DbConfig.of(jdbcUrl, secret, secret).fsyncRequired(false);
  }

  /** Starts one whose database is reached in a way of its own. */
  public static RunningEngine on(DbConfig db, EngineConfig config, Module... modules) {
    var all = new ArrayList<>(List.of(modules));
    all.add(new SecureDbModule(db));
    all.add(new EngineModule(config));
    var engine = new RunningEngine(Guice.createInjector(all));
    engine.injector.getInstance(SecureDatabase.class).start();
    engine.injector.getInstance(JobEngine.class).start();
    return engine;
  }

  public JobService jobs() {
    return injector.getInstance(JobService.class);
  }

  public Schedules schedules() {
    return injector.getInstance(Schedules.class);
  }

  public JobWatch watch() {
    return injector.getInstance(JobWatch.class);
  }

  public JobOutputs outputs() {
    return injector.getInstance(JobOutputs.class);
  }

  public Batches batches() {
    return injector.getInstance(Batches.class);
  }

  public DeadLetters deadLetters() {
    return injector.getInstance(DeadLetters.class);
  }

  public HandlerCatalogue catalogue() {
    return injector.getInstance(HandlerCatalogue.class);
  }

  public JobQueues queues() {
    return injector.getInstance(JobQueues.class);
  }

  public WorkerRegistry workers() {
    return injector.getInstance(WorkerRegistry.class);
  }

  public Transactions transactions() {
    return injector.getInstance(Transactions.class);
  }

  public EngineHealth health() {
    return injector.getInstance(JobEngine.class).health();
  }

  /** Stops to work, and still takes jobs. */
  public void stop(Duration grace) {
    injector.getInstance(JobEngine.class).stop(grace);
  }

  @Override
  public void close() {
    stop(Duration.ofSeconds(5));
    injector.getInstance(SecureDatabase.class).close();
  }
}
