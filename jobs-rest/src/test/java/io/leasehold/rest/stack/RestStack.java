package io.leasehold.rest.stack;

import static io.leasehold.engine.HandlerBinder.handlerBinder;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.multibindings.OptionalBinder;
import com.google.inject.spi.ExposedBinding;
import io.leasehold.db.DbConfig;
import io.leasehold.db.Secret;
import io.leasehold.db.SecureDatabase;
import io.leasehold.db.SecureDbModule;
import io.leasehold.engine.EngineModule;
import io.leasehold.engine.JobEngine;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.batches.BatchId;
import io.leasehold.jobs.batches.Batches;
import io.leasehold.jobs.schedules.Schedules;
import io.leasehold.rest.MetricsPage;
import io.leasehold.rest.RestConfig;
import io.leasehold.rest.RestHealth;
import io.leasehold.rest.RestLimits;
import io.leasehold.rest.RestModule;
import io.leasehold.rest.RestServer;
import io.leasehold.testkit.TestDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A server of its own on a test's database: an engine that works, HTTP in front of it, and an
 * issuer of tokens. Requests are not limited in number, unless a test asks for it.
 */
public final class RestStack implements AutoCloseable {

  /** A tenant. */
  public static final TenantId ACME = TenantId.of("00000000-0000-4000-8000-0000000000a1");

  /** Another. */
  public static final TenantId GLOBEX = TenantId.of("00000000-0000-4000-8000-0000000000b2");

  /** The role that commands need. */
  public static final String ADMIN = "jobs.admin";

  private static final int MANY = 1_000_000;

  private final TestIssuer issuer;
  private final Works works;
  private final Injector injector;
  private final int port;

  private RestStack(TestIssuer issuer, Works works, Injector injector) {
    this.issuer = issuer;
    this.works = works;
    this.injector = injector;
    injector.getInstance(SecureDatabase.class).start();
    injector.getInstance(JobEngine.class).start();
    this.port = injector.getInstance(RestServer.class).start();
  }

  /** Starts one as it comes. */
  public static RestStack on(TestDatabase database) {
    return on(database, config -> config);
  }

  /** Starts one that serves otherwise. */
  public static RestStack on(TestDatabase database, UnaryOperator<RestConfig> change) {
    return on(database, Setup.create().rest(change));
  }

  static RestStack on(TestDatabase database, Setup setup) {
    var secret = new Secret(TestDatabase.PASSWORD);
    return on(DbConfig.of(database.jdbcUrl(), secret, secret).fsyncRequired(false).build(), setup);
  }

  /** Starts one on a database that is found as this says. */
  public static RestStack on(DbConfig db, Setup setup) {
    return new RestStack(
        setup.issuer(),
        setup.works(),
        Guice.createInjector(
            new SecureDbModule(db),
            new EngineModule(setup.engine()),
            new RestModule(setup.rest()),
            new Around(setup.works())));
  }

  /** The default limits, but for the number of requests. */
  public static RestLimits unlimited() {
    return RestLimits.defaults()
        .requestsPerSecond(MANY)
        .requestsBurst(MANY)
        .requestsPerSecondOfPrincipal(MANY)
        .requestsBurstOfPrincipal(MANY);
  }

  public int port() {
    return port;
  }

  public TestIssuer issuer() {
    return issuer;
  }

  public Works works() {
    return works;
  }

  /** What the server measures. */
  public MeterRegistry meters() {
    return injector.getInstance(MeterRegistry.class);
  }

  public JobService jobs() {
    return injector.getInstance(JobService.class);
  }

  public Schedules schedules() {
    return injector.getInstance(Schedules.class);
  }

  /** A client that checks each answer against the document. */
  public ApiClient client() {
    return new ApiClient(port);
  }

  /** A client of a tenant's user, who has these roles. */
  public ApiClient client(TenantId tenant, String... roles) {
    return client().token(issuer.token(tenant, roles));
  }

  /** Submits a job of a tenant that does this. */
  public JobId submit(TenantId tenant, JobHandler<String, Object> work) {
    return jobs().submit(caller(tenant), Works.TYPE.request(works.of(work))).jobId();
  }

  /** Submits a job of a tenant that does this, and waits for its end. */
  public JobId done(TenantId tenant, JobHandler<String, Object> work) {
    var id = submit(tenant, work);
    jobs().await(caller(tenant), id, Duration.ofSeconds(20));
    return id;
  }

  /** Submits a batch of one job of a tenant that does this. */
  public BatchId batch(TenantId tenant, JobHandler<String, Object> work) {
    return injector
        .getInstance(Batches.class)
        .submit(caller(tenant), List.of(Works.TYPE.request(works.of(work))).iterator());
  }

  /** A caller of the tenant, within the process. */
  public static SecurityContext caller(TenantId tenant) {
    return SecurityContext.of("ann", tenant).build();
  }

  /** What only the module of HTTP sees. */
  public <T> T inside(Key<T> key) {
    return ((ExposedBinding<?>) injector.getBinding(RestServer.class))
        .getPrivateElements()
        .getInjector()
        .getInstance(key);
  }

  /** Stops HTTP, and nothing else. */
  public void stopServing() {
    injector.getInstance(RestServer.class).stop(Duration.ofSeconds(5));
  }

  @Override
  public void close() {
    stopServing();
    injector.getInstance(JobEngine.class).stop(Duration.ofSeconds(5));
    injector.getInstance(SecureDatabase.class).close();
  }

  /** What a program would bind. */
  private static final class Around extends AbstractModule {

    private final Works works;

    private Around(Works works) {
      this.works = works;
    }

    @Override
    protected void configure() {
      handlerBinder(binder()).handle(Works.TYPE).with(works);
      OptionalBinder.newOptionalBinder(binder(), MeterRegistry.class)
          .setBinding()
          .toInstance(new SimpleMeterRegistry());
      bind(RestHealth.class)
          .toInstance(() -> new RestHealth.Report(true, true, Map.of("database", "up")));
      bind(MetricsPage.class).toInstance(() -> "# nothing is measured\n");
    }
  }
}
