package io.leasehold.engine;

import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A worker with handlers that end the process, or take all its memory. */
final class ExitingMain {

  static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();
  static final JobType<String, String> EXITING = Handlers.type("exiting").queue("exits");
  static final JobType<String, String> FILLING = Handlers.type("filling").queue("exits");
  static final JobType<String, String> ORDINARY =
      Handlers.type("ordinary").queue("exits").retry(RetryPolicy.exponential(10));
  static final EngineConfig CONFIG =
      EngineConfig.defaults()
          .workerName("doomed")
          .lease(Duration.ofSeconds(3))
          .rescueEvery(Duration.ofMillis(200));

  private ExitingMain() {}

  /**
   * Works until its standard input ends, or a job ends it.
   *
   * @param args the database's JDBC URL, and whether it stops its engine when it is ended
   */
  public static void main(String... args) throws IOException {
    var handlers =
        new Handlers()
            .with(ORDINARY, (job, input) -> input)
            .with(
                EXITING,
                (job, input) -> {
                  System.exit(3);
                  return input;
                })
            .with(FILLING, (job, input) -> input + fill(new ArrayList<>()));
    var engine = RunningEngine.on(RunningEngine.at(args[0]).build(), CONFIG, handlers);
    if (Boolean.parseBoolean(args[1])) {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> engine.stop(Duration.ofMillis(100))));
    }
    System.in.read();
    engine.close();
  }

  // Until the heap is exhausted.
  private static String fill(List<byte[]> all) {
    while (true) {
      all.add(new byte[1 << 20]);
    }
  }
}
