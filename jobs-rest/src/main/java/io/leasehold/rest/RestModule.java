package io.leasehold.rest;

import com.google.inject.PrivateModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.Multibinder;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.batches.Batches;
import io.leasehold.jobs.history.JobWatch;
import io.leasehold.jobs.outputs.JobOutputs;
import io.leasehold.jobs.schedules.Schedules;
import io.leasehold.jobs.spi.HandlerCatalogue;
import io.leasehold.rest.http.Periodic;
import io.leasehold.rest.http.Restartable;
import io.leasehold.rest.http.Route;
import io.leasehold.rest.routes.Routes;
import io.leasehold.rest.server.JettyServer;
import io.leasehold.rest.server.SlowRequests;
import io.leasehold.rest.stream.OpenStreams;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.List;

/**
 * Binds the HTTP server, and exposes {@link RestServer} to start and stop it.
 *
 * <p>Needs {@link JobService}, {@link JobWatch}, {@link JobOutputs}, {@link Schedules}, {@link
 * Batches}, {@link HandlerCatalogue} and a {@link MeterRegistry}, as the engine's module binds
 * them, {@link RestHealth} and {@link MetricsPage}.
 */
public final class RestModule extends PrivateModule {

  private final RestConfig config;

  /** Creates a module for a server with this configuration. */
  public RestModule(RestConfig config) {
    this.config = config;
  }

  @Override
  protected void configure() {
    binder().requireAtInjectOnConstructors();
    requireBinding(JobService.class);
    requireBinding(JobWatch.class);
    requireBinding(JobOutputs.class);
    requireBinding(HandlerCatalogue.class);
    requireBinding(Schedules.class);
    requireBinding(Batches.class);
    requireBinding(MeterRegistry.class);
    requireBinding(RestHealth.class);
    requireBinding(MetricsPage.class);
    bind(RestConfig.class).toInstance(config);
    bind(RestLimits.class).toInstance(config.limits());
    bind(Clock.class).toInstance(Clock.systemUTC()); // Tokens expire by wall-clock time.
    var periodic = Multibinder.newSetBinder(binder(), Periodic.class);
    periodic.addBinding().to(OpenStreams.class);
    periodic.addBinding().to(SlowRequests.class);
    bind(RestServer.class).to(JettyServer.class).in(Singleton.class);
    expose(RestServer.class);
  }

  @Provides
  @Restartable
  JobService restartable(JobService jobs) {
    return jobs.restartable();
  }

  @Provides
  List<Route> routes(Routes routes) {
    return routes.served();
  }
}
