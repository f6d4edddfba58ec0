package io.leasehold.engine;

import io.leasehold.jobs.JobType;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.WhenLost;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A process in direct mode that takes two jobs, says which, and never ends them. */
final class DirectMain {

  static final JobType<String, String> RESUMED = Handlers.type("resumed");
  static final JobType<String, String> GIVEN_UP = Handlers.type("given_up").whenLost(WhenLost.FAIL);

  static final EngineConfig CONFIG =
      EngineConfig.defaults()
          .mode(EngineConfig.Mode.DIRECT)
          .directConcurrency(2)
          .lease(Duration.ofSeconds(3))
          .rescueEvery(Duration.ofMillis(200))
          .pollEvery(Duration.ofMillis(100));

  private DirectMain() {}

  /**
   * Takes them.
   *
   * @param args the database's JDBC URL and the tenant
   */
  public static void main(String... args) throws IOException, InterruptedException {
    var caller = SecurityContext.of("ann", TenantId.of(args[1])).build();
    var begun = new CountDownLatch(2);
    var handlers =
        new Handlers()
            .with(RESUMED, (job, input) -> hold(begun))
            .with(GIVEN_UP, (job, input) -> hold(begun));
    try (var engine = RunningEngine.on(RunningEngine.at(args[0]).build(), CONFIG, handlers)) {
      var resumed = engine.jobs().submit(caller, RESUMED.request("on")).jobId();
      var givenUp = engine.jobs().submit(caller, GIVEN_UP.request("on")).jobId();
      begun.await();
      System.out.println(resumed);
      System.out.println(givenUp);
      while (System.in.read() >= 0) {
        Thread.onSpinWait(); // Until it is killed, or left alone by the test.
      }
    }
  }

  private static String hold(CountDownLatch begun) throws InterruptedException {
    begun.countDown();
    new CountDownLatch(1).await();
    return "never";
  }
}
