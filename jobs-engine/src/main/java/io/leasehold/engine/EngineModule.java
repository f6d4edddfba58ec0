package io.leasehold.engine;

import static io.leasehold.db.TenantTableBinder.tenantTables;
import static io.leasehold.db.schema.Tables.JOB_EVENT_V;
import static io.leasehold.db.schema.Tables.JOB_STATUS_V;
import static io.leasehold.db.schema.Tables.OUTCOME;
import static org.jooq.impl.DSL.name;

import com.google.inject.AbstractModule;
import com.google.inject.PrivateModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.TypeLiteral;
import com.google.inject.multibindings.Multibinder;
import io.leasehold.db.Notifications;
import io.leasehold.db.Transactions;
import io.leasehold.engine.claim.WorkerId;
import io.leasehold.engine.notify.WakeWorker;
import io.leasehold.engine.run.HandlerRegistry;
import io.leasehold.engine.run.RegisteredHandler;
import io.leasehold.engine.run.Terms;
import io.leasehold.engine.run.Worker;
import io.leasehold.engine.schedule.Alarm;
import io.leasehold.engine.submit.TransactionalJobService;
import io.leasehold.engine.submit.WakeUps;
import io.leasehold.engine.tell.Pace;
import io.leasehold.engine.upkeep.Rhythm;
import io.leasehold.engine.upkeep.registry.Registration;
import io.leasehold.jobs.JobInterceptor;
import io.leasehold.jobs.JobService;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Binds the engine, and exposes {@link JobService}, and {@link JobEngine} to start and stop it.
 *
 * <p>Needs {@link Transactions}, {@link Notifications}, and the handlers that modules register with
 * {@link HandlerBinder}.
 */
public final class EngineModule extends AbstractModule {

  private final EngineConfig config;

  /** An engine with this configuration. */
  public EngineModule(EngineConfig config) {
    this.config = config;
  }

  @Override
  protected void configure() {
    Multibinder.newSetBinder(binder(), new TypeLiteral<RegisteredHandler<?, ?>>() {});
    Multibinder.newSetBinder(binder(), JobInterceptor.class);
    var tables = tenantTables(binder()).scoped(JOB_STATUS_V).scoped(JOB_EVENT_V).scoped(OUTCOME);
    Stream.of("submit", "submit_all", "cancel", "retry", "delete", "finish", "list_jobs")
        .forEach(function -> tables.function(name("leasehold", function)));
    Stream.of("keep_step", "find_step", "keep_checkpoint", "find_checkpoint", "list_events")
        .forEach(function -> tables.function(name("leasehold", function)));
    install(new Inside(config));
  }

  /** What only the engine sees. */
  private static final class Inside extends PrivateModule {

    private final EngineConfig config;

    private Inside(EngineConfig config) {
      this.config = config;
    }

    @Override
    protected void configure() {
      binder().requireAtInjectOnConstructors();
      requireBinding(Transactions.class);
      requireBinding(Notifications.class);
      bind(WorkerId.class).toInstance(WorkerId.random());
      bind(RandomGenerator.class).toInstance(new Random());
      bind(Rhythm.class)
          .toInstance(
              new Rhythm(
                  config.rescueEvery(), config.lease(), config.daysAhead(), config.retention()));
      bind(Pace.class).toInstance(Pace.of(config.writesPerSecond(), config.eventsMost()));
      bind(Alarm.class).in(Singleton.class);
      bind(JobService.class).to(TransactionalJobService.class).in(Singleton.class);
      bind(Worker.class).in(Singleton.class); // the one that is started is the one that is woken
      bind(WakeWorker.class).in(Singleton.class);
      bind(WakeUps.class).to(WakeWorker.class);
      bind(JobEngine.class).to(PollingEngine.class).in(Singleton.class);
      expose(JobService.class);
      expose(JobEngine.class);
    }

    @Provides
    @Singleton
    HandlerRegistry handlers(Set<RegisteredHandler<?, ?>> registered) {
      return new HandlerRegistry(registered);
    }

    @Provides
    Registration registration(HandlerRegistry handlers) {
      var version = EngineModule.class.getPackage().getImplementationVersion();
      return new Registration(
          config.workerName(),
          version == null ? "unreleased" : version,
          handlers.queues(),
          handlers.queues().stream().mapToInt(config::concurrencyOf).sum());
    }

    @Provides
    Terms terms(HandlerRegistry handlers) {
      return new Terms(
          handlers.queues().stream()
              .collect(Collectors.toMap(Function.identity(), config::concurrencyOf)),
          config.lease(),
          config.pollEvery(),
          config.cancelGrace());
    }
  }
}
