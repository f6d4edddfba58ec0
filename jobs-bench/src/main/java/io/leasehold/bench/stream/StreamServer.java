package io.leasehold.bench.stream;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.nimbusds.jose.JOSEException;
import io.leasehold.db.DbConfig;
import io.leasehold.db.Secret;
import io.leasehold.db.SecureDatabase;
import io.leasehold.db.SecureDbModule;
import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.EngineModule;
import io.leasehold.engine.JobEngine;
import io.leasehold.jobs.TenantId;
import io.leasehold.rest.MetricsPage;
import io.leasehold.rest.RestConfig;
import io.leasehold.rest.RestHealth;
import io.leasehold.rest.RestLimits;
import io.leasehold.rest.RestModule;
import io.leasehold.rest.RestServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A process that serves streams and runs no jobs: two connections for tenants, and few others. */
final class StreamServer implements AutoCloseable {

  /** The application name of its connections in the database. */
  static final String APPLICATION = "bench-streams";

  private static final int STREAMS = 20_000;
  private static final int REQUESTS = 100_000;

  private final Keys keys;
  private final Injector injector;
  private final int port;

  private StreamServer(Keys keys, Injector injector) {
    this.keys = keys;
    this.injector = injector;
    injector.getInstance(SecureDatabase.class).start();
    injector.getInstance(JobEngine.class).start();
    this.port = injector.getInstance(RestServer.class).start();
  }

  /** Serves until its input ends; prints its port, and a token for a tenant. */
  public static void main(String... args) throws IOException, JOSEException {
    try (var server = start(args[0], args[1])) {
      System.out.println(server.port + " " + server.keys.token(TenantId.of(args[2])));
      while (System.in.read() >= 0) {
        // Reports nothing.
      }
    }
  }

  private static StreamServer start(String jdbcUrl, String password)
      throws IOException, JOSEException {
    var keys = Keys.make();
    var secret = new Secret(password);
    var url = jdbcUrl + (jdbcUrl.contains("?") ? "&" : "?") + "ApplicationName=" + APPLICATION;
    var database =
        DbConfig.of(url, secret, secret).tenantConnections(2).engineConnections(2).build();
    var injector =
        Guice.createInjector(
            new SecureDbModule(database),
            new EngineModule(EngineConfig.defaults().roles(Set.of())),
            new RestModule(config(keys)),
            new Idle());
    return new StreamServer(keys, injector);
  }

  private static RestConfig config(Keys keys) {
    var limits =
        RestLimits.defaults()
            .streamsPerTenant(STREAMS)
            .streamsPerPrincipal(STREAMS)
            .requestsPerSecond(REQUESTS)
            .requestsBurst(REQUESTS)
            .requestsPerSecondOfPrincipal(REQUESTS)
            .requestsBurstOfPrincipal(REQUESTS);
    return RestConfig.defaults().port(0).issuers(List.of(keys.issuer())).limits(limits);
  }

  @Override
  public void close() {
    injector.getInstance(RestServer.class).stop(Duration.ofSeconds(10));
    injector.getInstance(JobEngine.class).stop(Duration.ZERO);
    injector.getInstance(SecureDatabase.class).close();
  }

  private static final class Idle extends AbstractModule {
    @Override
    protected void configure() {
      bind(MetricsPage.class).toInstance(() -> "");
      bind(RestHealth.class).toInstance(() -> new RestHealth.Report(true, true, Map.of()));
    }
  }
}
