package io.leasehold.rest.program;

import com.google.inject.AbstractModule;
import com.google.inject.Singleton;
import com.google.inject.multibindings.OptionalBinder;
import io.leasehold.db.DbConfig;
import io.leasehold.db.SecureDbModule;
import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.EngineModule;
import io.leasehold.rest.MetricsPage;
import io.leasehold.rest.RestConfig;
import io.leasehold.rest.RestHealth;
import io.leasehold.rest.RestModule;
import io.leasehold.rest.demo.DemoModule;
import io.micrometer.core.instrument.MeterRegistry;

/** Everything that the program consists of, wired together. */
public final class ServiceModule extends AbstractModule {

  private final DbConfig database;
  private final EngineConfig engine;
  private final RestConfig rest;
  private final boolean demonstrates;

  public ServiceModule(
      DbConfig database, EngineConfig engine, RestConfig rest, boolean demonstrates) {
    this.database = database;
    this.engine = engine;
    this.rest = rest;
    this.demonstrates = demonstrates;
  }

  @Override
  protected void configure() {
    binder().requireAtInjectOnConstructors();
    var measured = new Measured();
    OptionalBinder.newOptionalBinder(binder(), MeterRegistry.class)
        .setBinding()
        .toInstance(measured.registry());
    bind(MetricsPage.class).toInstance(measured);
    bind(RestHealth.class).to(EngineReport.class);
    bind(EngineReport.class).in(Singleton.class);
    install(new SecureDbModule(database));
    install(new EngineModule(engine));
    install(new RestModule(rest));
    if (demonstrates) {
      install(new DemoModule());
    }
  }
}
