package io.leasehold.plans;

import io.leasehold.jobs.JobType;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.FakeJobContext;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/** A process that asks a server of its own, and says what it answered. */
final class AskingMain {

  private AskingMain() {}

  /**
   * Asks.
   *
   * @param args the folder, and PostgreSQL's programs
   */
  public static void main(String... args) throws Exception {
    var job =
        FakeJobContext.of(
            SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build(),
            JobType.restartable(
                "gts.x.core.jobs.handler.v1~acme.tests.plans.asks.v1", String.class, String.class));
    var config = PostgresConfig.local(Path.of(args[0]), Path.of(args[1]));
    var state = new PostgresRuntime(config).open(job, Optional.empty());
    try {
      System.out.println(state.get().ask("SHOW data_directory"));
    } finally {
      state.close();
    }
  }
}
