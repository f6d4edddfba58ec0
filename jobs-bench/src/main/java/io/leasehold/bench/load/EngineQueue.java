package io.leasehold.bench.load;

import static io.leasehold.engine.HandlerBinder.handlerBinder;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Module;
import com.google.inject.util.Modules;
import io.leasehold.bench.Contender;
import io.leasehold.bench.Payload;
import io.leasehold.bench.Tally;
import io.leasehold.bench.limit.BenchServer;
import io.leasehold.db.DbConfig;
import io.leasehold.db.Secret;
import io.leasehold.db.SecureDatabase;
import io.leasehold.db.SecureDbModule;
import io.leasehold.embedded.EmbeddedServer;
import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.EngineModule;
import io.leasehold.engine.JobEngine;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.batches.Batches;
import io.leasehold.jobs.spi.MirrorTable;
import io.leasehold.migrations.MigrationConfig;
import io.leasehold.migrations.Migrator;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * The platform's own queue as a service would use it, with the defaults except for the concurrency.
 */
public final class EngineQueue implements Contender {

  static final String PASSWORD = "bench";
  private static final Duration GRACE = Duration.ofSeconds(10);
  private static final int CONCURRENCY = 1_000;

  private static final String CLEARING =
      "TRUNCATE leasehold.job, leasehold.outcome, leasehold.ready, leasehold.scheduled,"
          + " leasehold.lease, leasehold.attempt, leasehold.cancel_request, leasehold.waiting,"
          + " leasehold.dependency, leasehold.dependency_note, leasehold.batch_job,"
          + " leasehold.mirror_record, leasehold.mirror_behind";

  private final BenchServer server;
  private final Injector injector;
  private final JobService jobs;
  private final AtomicReference<Tally> tally;

  private EngineQueue(BenchServer server, Injector injector, AtomicReference<Tally> tally) {
    this.server = server;
    this.injector = injector;
    this.jobs = injector.getInstance(JobService.class);
    this.tally = tally;
  }

  /** Creates the platform's tables. */
  public static void migrate(BenchServer server) {
    var passwords =
        Map.of(
            "leasehold_owner", PASSWORD,
            "leasehold_tenant", PASSWORD,
            "leasehold_engine", PASSWORD);
    new Migrator(
            new MigrationConfig(
                server.jdbcUrl(), EmbeddedServer.SUPERUSER, server.password(), passwords))
        .migrate();
  }

  /** Creates an empty queue. */
  public static EngineQueue emptied(BenchServer server, Module... further) {
    server.execute(CLEARING);
    return on(server, further);
  }

  /** Creates a queue on the existing contents of the tables. */
  public static EngineQueue on(BenchServer server, Module... further) {
    var secret = new Secret(PASSWORD);
    var tally = new AtomicReference<>(new Tally(0));
    var injector =
        Guice.createInjector(
            new SecureDbModule(DbConfig.of(server.jdbcUrl(), secret, secret).build()),
            new EngineModule(config()),
            new Handlers(tally),
            Modules.combine(further));
    injector.getInstance(SecureDatabase.class).start();
    return new EngineQueue(server, injector, tally);
  }

  private static EngineConfig config() {
    return EngineConfig.defaults().concurrency(CONCURRENCY);
  }

  private static final class Handlers extends AbstractModule {

    private final AtomicReference<Tally> tally;

    private Handlers(AtomicReference<Tally> tally) {
      this.tally = tally;
    }

    @Override
    protected void configure() {
      bind(CountedJob.Counting.class).toInstance(number -> tally.get().run(number));
      handlerBinder(binder()).handle(CountedJob.TYPE).with(CountedJob.class);
    }
  }

  @Override
  public String name() {
    return "leasehold";
  }

  @Override
  public void submit(int number) {
    jobs.submit(caller(0), CountedJob.TYPE.request(Payload.of(number)));
  }

  /** Submits a job of another type. */
  JobId submit(JobRequest<?, ?> request) {
    return jobs.submit(caller(0), request).jobId();
  }

  @Override
  public void submitAll(int first, int count) {
    submitAll(0, first, count);
  }

  /** Submits jobs of a tenant. */
  void submitAll(int tenant, int first, int count) {
    var requests =
        IntStream.range(first, first + count)
            .mapToObj(number -> CountedJob.TYPE.request(Payload.of(number)));
    jobs.submitAll(caller(tenant), requests.iterator());
  }

  /** Submits {@code count} jobs, each mirrored by a record. */
  void submitMirrored(MirrorTable table, IntFunction<UUID> record, int first, int count) {
    var requests =
        IntStream.range(first, first + count)
            .mapToObj(
                number ->
                    CountedJob.TYPE
                        .request(Payload.of(number))
                        .mirroredBy(table, record.apply(number)));
    jobs.submitAll(caller(0), requests.iterator());
  }

  /** Submits {@code count} jobs: a batch, and a callback that waits for all the others. */
  void submitBatch(int count) {
    var requests =
        IntStream.range(1, count).mapToObj(number -> CountedJob.TYPE.request(Payload.of(number)));
    injector
        .getInstance(Batches.class)
        .submit(caller(0), requests.iterator(), CountedJob.TYPE.request(Payload.of(0)));
  }

  static SecurityContext caller(int tenant) {
    return SecurityContext.of("bench", new TenantId(new UUID(1, tenant))).build();
  }

  @Override
  public void start(Tally tally) {
    this.tally.set(tally);
    start();
  }

  /** Starts working on jobs that are not counted. */
  void start() {
    injector.getInstance(JobEngine.class).start();
  }

  @Override
  public boolean isDone() {
    return server.number(
            "SELECT (SELECT count(*) FROM leasehold.lease)"
                + " + (SELECT count(*) FROM leasehold.ready)")
        == 0;
  }

  @Override
  public long succeeded() {
    return server.number(
        "SELECT count(*) FROM leasehold.job JOIN leasehold.outcome USING (tenant_id, id)"
            + " WHERE status = 'succeeded' AND attempts = 1 AND principal = 'bench'");
  }

  @Override
  public void stop() {
    injector.getInstance(JobEngine.class).stop(GRACE);
  }

  @Override
  public void close() {
    injector.getInstance(SecureDatabase.class).close();
  }
}
