package io.leasehold.rest.stream;

import static io.leasehold.engine.HandlerBinder.handlerBinder;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import io.leasehold.db.DbConfig;
import io.leasehold.db.Secret;
import io.leasehold.db.SecureDatabase;
import io.leasehold.db.SecureDbModule;
import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.EngineConfig.Role;
import io.leasehold.engine.EngineModule;
import io.leasehold.engine.JobEngine;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.rest.stack.Works;
import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** A process that works, until it is killed if a job says so. */
final class WorkerMain {

  /**
   * Jobs that go on until their worker dies, if that is the one that their input names. Busy as a
   * machine may be, there are enough attempts.
   */
  static final JobType<String, Object> TYPE =
      Works.TYPE.retry(RetryPolicy.exponential(100).first(Duration.ofMillis(10)));

  private static final int EVENTS = 60;
  private static final Duration PACE = Duration.ofMillis(4);

  private WorkerMain() {}

  /**
   * Works until its standard input is closed.
   *
   * @param args the database's JDBC URL, and what the worker is called
   */
  public static void main(String... args) throws IOException {
    var secret = new Secret(TestDatabase.PASSWORD);
    var injector =
        Guice.createInjector(
            new SecureDbModule(DbConfig.of(args[0], secret, secret).fsyncRequired(false).build()),
            new EngineModule(
                EngineConfig.defaults()
                    .roles(Set.of(Role.WORKER))
                    .lease(Duration.ofSeconds(1))
                    .writesPerSecond(100)),
            new Told(args[1]));
    var database = injector.getInstance(SecureDatabase.class);
    var engine = injector.getInstance(JobEngine.class);
    database.start();
    engine.start();
    while (System.in.read() >= 0) {
      // The test writes nothing, and closes the stream at the end.
    }
    engine.stop(Duration.ZERO);
    database.close();
  }

  private static Object tell(JobContext job, boolean doomed) {
    var n = 0;
    while (doomed || n < EVENTS) {
      n++;
      job.event("log", Map.of("n", n));
      if (n % 10 == 0) {
        job.progress(n % 100, "at " + n);
      }
      LockSupport.parkNanos(PACE.toNanos()); // The work.
    }
    return n;
  }

  /** What its jobs do. */
  private static final class Told extends AbstractModule {

    private final String name;

    private Told(String name) {
      this.name = name;
    }

    @Override
    protected void configure() {
      handlerBinder(binder()).handle(TYPE).with((job, input) -> tell(job, input.equals(name)));
    }
  }
}
