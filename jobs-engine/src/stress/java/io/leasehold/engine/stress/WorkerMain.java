package io.leasehold.engine.stress;

import com.google.inject.Guice;
import io.leasehold.db.DbConfig;
import io.leasehold.db.Secret;
import io.leasehold.db.SecureDatabase;
import io.leasehold.db.SecureDbModule;
import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.EngineModule;
import io.leasehold.engine.JobEngine;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A worker as a process of its own: works until it is told to stop, or killed. */
final class WorkerMain {

  private WorkerMain() {}

  /**
   * Works.
   *
   * @param args the database's JDBC URL
   */
  public static void main(String... args) throws InterruptedException {
    var secret = new Secret(StressServer.PASSWORD);
    var db =
        DbConfig.of(args[0], secret, secret)
            .tenantConnections(60)
            .connectTimeout(Duration.ofSeconds(2))
            .build();
    var config =
        EngineConfig.defaults().lease(Fleet.LEASE).rescueEvery(Fleet.RESCUE_EVERY).concurrency(100);
    var injector =
        Guice.createInjector(
            new SecureDbModule(db),
            new EngineModule(config),
            new StressJobs(),
            new WatchfulJobs(),
            new ClockJobs(),
            new StepJobs(),
            new ToldJobs(),
            new BuildJobs(),
            new FatefulJobs());
    var database = injector.getInstance(SecureDatabase.class);
    var engine = injector.getInstance(JobEngine.class);
    database.start();
    engine.start();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  engine.stop(Duration.ofSeconds(2));
                  database.close();
                }));
    System.out.println("ready");
    new CountDownLatch(1).await(); // Until it is killed, or told to stop.
  }
}
