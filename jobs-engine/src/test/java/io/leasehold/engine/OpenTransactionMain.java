package io.leasehold.engine;

import io.leasehold.db.TransactionOptions;
import io.leasehold.engine.service.query.OpenService;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;

/**
 * A process that does things to jobs in a transaction and leaves it open. It is given the jobs as a
 * line, answers with the one that it submitted, and commits when it is given another line.
 */
final class OpenTransactionMain {

  private OpenTransactionMain() {}

  /**
   * Opens one.
   *
   * @param args the database's JDBC URL, the tenant, and how many milliseconds the transaction may
   *     take
   */
  public static void main(String... args) throws IOException {
    var caller = SecurityContext.of("ann", TenantId.of(args[1])).build();
    var options = TransactionOptions.defaults().timeout(Duration.ofMillis(Long.parseLong(args[2])));
    try (var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var service = OpenService.on(RunningEngine.at(args[0]).build(), EngineConfig.defaults())) {
      warmUp(service, caller);
      System.out.println("ready");
      var touched = TouchedJobs.of(in.readLine());
      service
          .transactions()
          .asTenant(
              caller,
              options,
              tx -> {
                System.out.println(touched.touch(service.jobs(), tx));
                if (in.readLine() == null) {
                  throw new IllegalStateException("the test ended before the transaction");
                }
                return null;
              });
      System.out.println("committed");
    }
  }

  // A new process is slow at first, and the transaction's time may be short.
  private static void warmUp(OpenService service, SecurityContext caller) {
    var jobs = service.jobs();
    var unknown = new JobId(new UUID(0, 0));
    try {
      service
          .transactions()
          .asTenant(
              caller,
              tx -> {
                jobs.cancel(tx, unknown);
                jobs.retry(tx, unknown);
                jobs.delete(tx, unknown);
                jobs.submit(tx, TouchedJobs.WORK.request("nothing"));
                throw new Undone();
              });
    } catch (Undone _) {
      return; // As it was meant to be.
    }
  }

  private static final class Undone extends Exception {
    private static final long serialVersionUID = 1L;
  }
}
