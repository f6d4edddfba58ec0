package io.leasehold.proofs.stress;

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
   * @param args the database's JDBC URL, and how long a lease lasts unless it is {@link
   *     Fleet#LEASE} ({@code usual} for what an engine has by default), and how many threads a
   *     {@link Reference} wakes, if there is to be one
   */
  public static void main(String... args) throws InterruptedException {
    var secret = new Secret(StressServer.PASSWORD);
    var db =
        DbConfig.of(args[0], secret, secret)
            .tenantConnections(60)
            .connectTimeout(Duration.ofSeconds(2))
            .build();
    var usual = EngineConfig.defaults().concurrency(100);
    var lease = args.length > 1 ? args[1] : Fleet.LEASE.toString();
    var config =
        lease.equals("usual")
            ? usual
            : usual.lease(Duration.parse(lease)).rescueEvery(Fleet.RESCUE_EVERY);
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
            new FatefulJobs(),
            new OutageJobs());
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
    if (args.length > 2) {
      new Reference(Integer.parseInt(args[2])).start();
    }
    new CountDownLatch(1).await(); // Until it is killed, or told to stop.
  }
}
