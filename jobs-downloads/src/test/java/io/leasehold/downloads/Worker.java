package io.leasehold.downloads;

import static io.leasehold.engine.HandlerBinder.handlerBinder;

import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Module;
import io.leasehold.db.DbConfig;
import io.leasehold.db.Secret;
import io.leasehold.db.SecureDatabase;
import io.leasehold.db.SecureDbModule;
import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.EngineConfig.Role;
import io.leasehold.engine.EngineModule;
import io.leasehold.engine.JobEngine;
import io.leasehold.engine.OutputConfig;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.outputs.JobOutputs;
import io.leasehold.testkit.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/** An engine that downloads, as a service would have it. */
final class Worker implements AutoCloseable {

  private static final DownloadConfig CONFIG =
      DownloadConfig.defaults().networks("127.0.0.1/32").keepEvery(64 << 10);

  private final Injector injector;

  private Worker(Injector injector) {
    this.injector = injector;
    injector.getInstance(SecureDatabase.class).start();
    injector.getInstance(JobEngine.class).start();
  }

  /** Works, and does for the queue what is to be done. */
  static Worker on(String jdbcUrl, Path outputs) {
    return on(jdbcUrl, outputs, EnumSet.allOf(Role.class));
  }

  /** Submits, and works on nothing. */
  static Worker idle(String jdbcUrl, Path outputs) {
    return on(jdbcUrl, outputs, Set.of());
  }

  private static Worker on(String jdbcUrl, Path outputs, Set<Role> roles) {
    var config =
        EngineConfig.defaults()
            .roles(roles)
            .lease(Duration.ofSeconds(2))
            .rescueEvery(Duration.ofMillis(200))
            .outputs(OutputConfig.defaults().folder(outputs));
    return on(
        jdbcUrl,
        config,
        binder ->
            handlerBinder(binder).handle(DownloadHandler.TYPE).with(new DownloadHandler(CONFIG)));
  }

  /** Works with the handlers that a module registers. */
  static Worker on(String jdbcUrl, EngineConfig config, Module handlers) {
    var secret = new Secret(TestDatabase.PASSWORD);
    var db = DbConfig.of(jdbcUrl, secret, secret).fsyncRequired(false).build();
    return new Worker(
        Guice.createInjector(new SecureDbModule(db), new EngineModule(config), handlers));
  }

  JobService jobs() {
    return injector.getInstance(JobService.class);
  }

  JobOutputs outputs() {
    return injector.getInstance(JobOutputs.class);
  }

  @Override
  public void close() {
    injector.getInstance(JobEngine.class).stop(Duration.ZERO);
    injector.getInstance(SecureDatabase.class).close();
  }
}
