package io.leasehold.engine;

import static io.leasehold.db.TenantTableBinder.tenantTables;
import static io.leasehold.db.schema.Tables.JOB_EVENT_V;
import static io.leasehold.db.schema.Tables.JOB_STATUS_V;
import static io.leasehold.db.schema.Tables.OUTCOME;
import static io.leasehold.db.schema.Tables.OUTPUT;
import static io.leasehold.db.schema.Tables.SCHEDULE_V;
import static org.jooq.impl.DSL.name;

import com.google.inject.AbstractModule;
import com.google.inject.PrivateModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.TypeLiteral;
import com.google.inject.multibindings.Multibinder;
import com.google.inject.multibindings.OptionalBinder;
import io.leasehold.db.Notifications;
import io.leasehold.db.TransactionalJobInterceptor;
import io.leasehold.db.Transactions;
import io.leasehold.engine.EngineConfig.Role;
import io.leasehold.engine.inmemory.EngineJobService;
import io.leasehold.engine.inmemory.MemoryWorker;
import io.leasehold.engine.inmemory.state.MemoryTerms;
import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.engine.maintenance.Duties;
import io.leasehold.engine.maintenance.MaintenanceModule;
import io.leasehold.engine.maintenance.Rhythm;
import io.leasehold.engine.maintenance.dependencies.FollowDependents;
import io.leasehold.engine.maintenance.fleet.Load;
import io.leasehold.engine.maintenance.fleet.Registration;
import io.leasehold.engine.metrics.JobMeters;
import io.leasehold.engine.metrics.QueueDepths;
import io.leasehold.engine.metrics.SignsOfLife;
import io.leasehold.engine.service.batches.TransactionalBatches;
import io.leasehold.engine.service.deadletters.TransactionalDeadLetters;
import io.leasehold.engine.service.query.StoredCatalogue;
import io.leasehold.engine.service.queues.SharedQueues;
import io.leasehold.engine.service.queues.StoredWorkers;
import io.leasehold.engine.signal.Dependents;
import io.leasehold.engine.signal.JobChanges;
import io.leasehold.engine.signal.WakeUps;
import io.leasehold.engine.signal.wakeup.WakeWorker;
import io.leasehold.engine.signal.watch.HintedJobWatch;
import io.leasehold.engine.signal.watch.WatchTerms;
import io.leasehold.engine.time.delayed.Alarm;
import io.leasehold.engine.time.schedules.FireInTime;
import io.leasehold.engine.time.schedules.StoredSchedules;
import io.leasehold.engine.work.events.Pace;
import io.leasehold.engine.work.handlers.HandlerRegistry;
import io.leasehold.engine.work.handlers.RegisteredHandler;
import io.leasehold.engine.work.inline.IdleEngine;
import io.leasehold.engine.work.inline.RunAtOnce;
import io.leasehold.engine.work.inline.RunDueJobs;
import io.leasehold.engine.work.outputs.OutputFolder;
import io.leasehold.engine.work.outputs.OutputTerms;
import io.leasehold.engine.work.outputs.StoredOutputs;
import io.leasehold.engine.work.run.Terms;
import io.leasehold.engine.work.run.Worker;
import io.leasehold.jobs.HandlerId;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.batches.Batches;
import io.leasehold.jobs.deadletters.DeadLetters;
import io.leasehold.jobs.history.JobWatch;
import io.leasehold.jobs.outputs.ExternalStorage;
import io.leasehold.jobs.outputs.JobOutputs;
import io.leasehold.jobs.outputs.OutputStore;
import io.leasehold.jobs.schedules.Schedules;
import io.leasehold.jobs.spi.HandlerCatalogue;
import io.leasehold.jobs.spi.JobInterceptor;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Binds the engine and exposes its services. Callers use {@link JobService}, {@link JobWatch},
 * {@link JobOutputs}, {@link Schedules}, {@link Batches}, {@link DeadLetters} and {@link
 * HandlerCatalogue}. Programs use {@link JobEngine} to start and stop the engine, {@link DueJobs}
 * to run due jobs, {@link JobQueues} to pause queues, and {@link WorkerRegistry} to list workers.
 *
 * <p>Requires {@link Transactions}, {@link Notifications}, and the handlers that modules register
 * with {@link HandlerBinder}. The engine records its metrics in a {@link MeterRegistry}, if one is
 * bound:
 *
 * {@snippet :
 * OptionalBinder.newOptionalBinder(binder(), MeterRegistry.class)
 *     .setBinding()
 *     .toInstance(registry);
 * }
 *
 * <p>In the same way, an {@link OutputStore} can be bound to replace the folder for job files.
 */
public final class EngineModule extends AbstractModule {

  private final EngineConfig config;

  /** Creates a module for an engine with this configuration. */
  public EngineModule(EngineConfig config) {
    this.config = config;
  }

  @Override
  protected void configure() {
    Multibinder.newSetBinder(binder(), new TypeLiteral<RegisteredHandler<?, ?>>() {});
    Multibinder.newSetBinder(binder(), JobInterceptor.class);
    Multibinder.newSetBinder(binder(), TransactionalJobInterceptor.class);
    Multibinder.newSetBinder(binder(), ExternalStorage.class);
    OptionalBinder.newOptionalBinder(binder(), MeterRegistry.class)
        .setDefault()
        .toInstance(new CompositeMeterRegistry()); // An empty composite records nothing.
    OptionalBinder.newOptionalBinder(binder(), OutputStore.class);
    var tables =
        tenantTables(binder())
            .scoped(JOB_STATUS_V)
            .scoped(JOB_EVENT_V)
            .scoped(OUTCOME)
            .scoped(OUTPUT)
            .scoped(SCHEDULE_V);
    Stream.of(
            "submit",
            "submit_all",
            "submit_leased",
            "submit_after",
            "cancel",
            "retry",
            "delete",
            "finish",
            "list_jobs")
        .forEach(function -> tables.function(name("leasehold", function)));
    Stream.of(
            "explain",
            "known_handlers",
            "list_dead",
            "own_dead",
            "count_dead",
            "retry_all",
            "discard_all",
            "keep_step",
            "find_step",
            "keep_checkpoint",
            "find_checkpoint",
            "keep_output",
            "list_events",
            "list_tasks",
            "list_dependencies",
            "expect_mirror",
            "attach_mirrors",
            "add_to_batch",
            "find_batch",
            "find_metadata",
            "cancel_batch",
            "put_schedule",
            "pause_schedule",
            "resume_schedule",
            "remove_schedule",
            "hold_schedule",
            "advance_schedule",
            "put_schedule_aside")
        .forEach(function -> tables.function(name("leasehold", function)));
    install(new Inside(config));
  }

  /** The bindings that only the engine sees. */
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
      install(new MaintenanceModule());
      bind(WorkerId.class).toInstance(WorkerId.random());
      bind(RandomGenerator.class).toInstance(new Random());
      bind(Rhythm.class)
          .toInstance(
              new Rhythm(
                  config.rescueEvery(),
                  config.staleAfterOrLease(),
                  config.daysAhead(),
                  config.retention()));
      bind(Duties.class).toInstance(new Duties(works(), has(Role.MAINTENANCE)));
      bind(WatchTerms.class).toInstance(new WatchTerms(config.watchEvery()));
      bind(Pace.class).toInstance(Pace.of(config.writesPerSecond(), config.eventsMost()));
      bind(Alarm.class).in(Singleton.class);
      bind(JobService.class).to(EngineJobService.class).in(Singleton.class);
      bind(HintedJobWatch.class).in(Singleton.class);
      bind(JobWatch.class).to(HintedJobWatch.class);
      bind(JobChanges.class).to(HintedJobWatch.class);
      bind(FollowDependents.class).in(Singleton.class);
      bind(Dependents.class).to(FollowDependents.class);
      bind(MemoryWorker.class).in(Singleton.class);
      bind(SignsOfLife.class).in(Singleton.class);
      bind(CheckHealth.class).in(Singleton.class);
      bind(QueueDepths.class).in(Singleton.class);
      bind(Worker.class).in(Singleton.class); // The started instance must be the one that is woken.
      bind(WakeWorker.class).in(Singleton.class);
      if (config.mode() == EngineConfig.Mode.INLINE) {
        bind(WakeUps.class).to(RunAtOnce.class).in(Singleton.class);
        bind(JobEngine.class).toInstance(new IdleEngine());
      } else {
        bind(WakeUps.class).to(WakeWorker.class);
        bind(JobEngine.class).to(PollingEngine.class).in(Singleton.class);
      }
      bind(Batches.class).to(TransactionalBatches.class).in(Singleton.class);
      bind(DeadLetters.class).to(TransactionalDeadLetters.class).in(Singleton.class);
      bind(HandlerCatalogue.class).to(StoredCatalogue.class).in(Singleton.class);
      bind(JobQueues.class).to(SharedQueues.class).in(Singleton.class);
      bind(JobOutputs.class).to(StoredOutputs.class).in(Singleton.class);
      bind(FireInTime.class)
          .in(Singleton.class); // The started instance must be the one that is woken.
      bind(Schedules.class).to(StoredSchedules.class).in(Singleton.class);
      expose(Schedules.class);
      expose(Batches.class);
      expose(DeadLetters.class);
      expose(HandlerCatalogue.class);
      expose(JobQueues.class);
      expose(WorkerRegistry.class);
      expose(JobOutputs.class);
      expose(JobService.class);
      expose(JobWatch.class);
      expose(JobEngine.class);
      expose(DueJobs.class);
    }

    @Provides
    @Singleton
    HandlerRegistry handlers(Set<RegisteredHandler<?, ?>> registered) {
      return new HandlerRegistry(registered);
    }

    @Provides
    @Singleton
    DueJobs dueJobs(RunDueJobs due) {
      return due::run;
    }

    @Provides
    OutputTerms outputTerms(Optional<OutputStore> bound) {
      var outputs = config.outputs();
      return new OutputTerms(
          bound.or(() -> outputs.folder().map(OutputFolder::new)), outputs.bytesMost());
    }

    @Provides
    MemoryTerms memoryTerms() {
      return new MemoryTerms(
          works() ? config.memoryConcurrency() : 0,
          config.memoryCapacity(),
          config.memoryKept(),
          config.cancelGrace(),
          config.writesPerSecond(),
          config.eventsMost());
    }

    private boolean has(Role role) {
      return config.roles().contains(role);
    }

    // Inline jobs run on the submitting threads and need no worker.
    private boolean works() {
      return has(Role.WORKER) || config.mode() == EngineConfig.Mode.INLINE;
    }

    private OptionalInt directConcurrency() {
      return config.mode() == EngineConfig.Mode.DIRECT
          ? OptionalInt.of(config.directConcurrency())
          : OptionalInt.empty();
    }

    @Provides
    @Singleton
    JobMeters meters(
        MeterRegistry registry, HandlerRegistry handlers, Notifications notifications) {
      var ids =
          Stream.concat(handlers.ids().stream(), handlers.inMemory().keySet().stream())
              .map(HandlerId::value)
              .toList();
      var meters = new JobMeters(registry, ids, handlers.queues());
      meters.listener(() -> notifications.silentFor().orElse(null));
      return meters;
    }

    @Provides
    Registration registration(HandlerRegistry handlers) {
      var version = EngineModule.class.getPackage().getImplementationVersion();
      return new Registration(
          config.workerName(),
          version == null ? "unreleased" : version,
          new TreeMap<>(slots(handlers)),
          directConcurrency()
              .orElseGet(() -> slots(handlers).values().stream().mapToInt(most -> most).sum()),
          handlers.queueOf());
    }

    @Provides
    Load load(Worker worker) {
      return worker::running;
    }

    @Provides
    @Singleton
    WorkerRegistry workers(Transactions transactions) {
      return new StoredWorkers(transactions, config.staleAfterOrLease());
    }

    @Provides
    Terms terms(HandlerRegistry handlers) {
      return new Terms(
          works() ? slots(handlers) : Map.of(),
          directConcurrency(),
          config.lease(),
          config.pollEvery(),
          config.cancelGrace());
    }

    private Map<String, Integer> slots(HandlerRegistry handlers) {
      return handlers.queues().stream()
          .collect(
              Collectors.toMap(
                  Function.identity(),
                  queue -> directConcurrency().orElseGet(() -> config.concurrencyOf(queue))));
    }
  }
}
