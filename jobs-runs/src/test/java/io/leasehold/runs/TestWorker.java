package io.leasehold.runs;

import static io.leasehold.engine.HandlerBinder.handlerBinder;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import io.leasehold.db.DbConfig;
import io.leasehold.db.Secret;
import io.leasehold.db.SecureDatabase;
import io.leasehold.db.SecureDbModule;
import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.EngineModule;
import io.leasehold.engine.JobEngine;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.outputs.JobOutputs;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;

/** A worker that has the handler of {@link Scripts}. */
final class TestWorker implements AutoCloseable {

  private final Injector injector;

  private TestWorker(Injector injector) {
    this.injector = injector;
  }

  /** How a worker works that others have to follow soon. */
  static EngineConfig config() {
    return EngineConfig.defaults()
        .concurrency(20)
        .lease(Duration.ofSeconds(3))
        .rescueEvery(Duration.ofMillis(200))
        .pollEvery(Duration.ofMillis(200))
        .cancelGrace(Duration.ofMillis(500));
  }

  /** Starts one whose runs are those of a runner. */
  static TestWorker on(String jdbcUrl, EngineConfig config, Runner runner, KeepRunOutput keep) {
    var secret = new Secret(TestDatabase.PASSWORD);
    var injector =
        Guice.createInjector(
            new SecureDbModule(DbConfig.of(jdbcUrl, secret, secret).fsyncRequired(false).build()),
            new EngineModule(config),
            new ScriptsModule(runner, keep));
    injector.getInstance(SecureDatabase.class).start();
    injector.getInstance(JobEngine.class).start();
    return new TestWorker(injector);
  }

  JobService jobs() {
    return injector.getInstance(JobService.class);
  }

  JobOutputs outputs() {
    return injector.getInstance(JobOutputs.class);
  }

  Runs runs() {
    return injector.getInstance(Runs.class);
  }

  /** Stops to work, and still answers. */
  void stop() {
    injector.getInstance(JobEngine.class).stop(Duration.ZERO);
  }

  @Override
  public void close() {
    stop();
    injector.getInstance(SecureDatabase.class).close();
  }

  /** Binds the handler, and what it runs by. */
  private static final class ScriptsModule extends AbstractModule {

    private final Runner runner;
    private final KeepRunOutput keep;

    private ScriptsModule(Runner runner, KeepRunOutput keep) {
      this.runner = runner;
      this.keep = keep;
    }

    @Override
    protected void configure() {
      handlerBinder(binder()).handle(Scripts.TYPE).with(Scripts.class);
    }

    @Provides
    @Singleton
    Runs runs(JobService jobs) {
      return Runs.of(runner, jobs).keeping(keep).grace(Duration.ofSeconds(2));
    }
  }
}
