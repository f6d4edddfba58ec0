package io.leasehold.plans;

import static io.leasehold.engine.HandlerBinder.handlerBinder;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import io.leasehold.db.DbConfig;
import io.leasehold.db.Secret;
import io.leasehold.db.SecureDatabase;
import io.leasehold.db.SecureDbModule;
import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.EngineModule;
import io.leasehold.engine.JobEngine;
import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** A worker that does {@link Accounts} and {@link Ledger} until it is killed. */
final class PlanWorkerMain {

  private static final EngineConfig CONFIG =
      EngineConfig.defaults().rescueEvery(Duration.ofMillis(200)).pollEvery(Duration.ofMillis(100));

  private PlanWorkerMain() {}

  /**
   * Works.
   *
   * @param args the database's JDBC URL, a folder, PostgreSQL's programs, and the lease
   */
  public static void main(String... args) throws IOException {
    var secret = new Secret(TestDatabase.PASSWORD);
    var folder = Path.of(args[1]);
    var servers =
        new PostgresRuntime(PostgresConfig.local(folder.resolve("servers"), Path.of(args[2])));
    var snapshots = new FolderStore(folder.resolve("snapshots"));
    var accounts = PlanHandler.of(new Accounts(folder), servers, snapshots);
    var ledger = PlanHandler.of(new Ledger(folder, snapshots), servers, snapshots);
    var injector =
        Guice.createInjector(
            new SecureDbModule(DbConfig.of(args[0], secret, secret).fsyncRequired(false).build()),
            new EngineModule(CONFIG.lease(Duration.parse(args[3]))),
            new AbstractModule() {
              @Override
              protected void configure() {
                handlerBinder(binder()).handle(Accounts.TYPE).with(accounts);
                handlerBinder(binder()).handle(Ledger.TYPE).with(ledger);
              }
            });
    injector.getInstance(SecureDatabase.class).start();
    injector.getInstance(JobEngine.class).start();
    while (System.in.read() >= 0) {
      Thread.onSpinWait(); // Until it is killed, or left alone by the test.
    }
  }
}
