package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TcpProxy;
import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A claim is committed, and its worker never hears of that. */
class LostClaimTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final JobType<String, String> ECHO = Handlers.type("lost");
  private static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();

  /** Sooner than a third of a lease, which is when renewals look for what is unknown. */
  private static final Duration SOON = Duration.ofSeconds(15);

  /** A claim stops at this, when its leases are written, until the test lets it go on. */
  private static final String GATE =
      """
      CREATE FUNCTION public.gate() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock(4711);
        RETURN NULL;
      END $$;
      CREATE TRIGGER gate AFTER INSERT ON leasehold.lease
      FOR EACH STATEMENT EXECUTE FUNCTION public.gate();
      """;

  @Test
  void jobsOfALostClaimRunSoonAndCountNoAttempt() throws IOException, SQLException {
    try (var proxy = TcpProxy.before(database.jdbcUrl());
        var gate = database.connectAsAdministrator();
        var statement = gate.createStatement();
        var engine =
            RunningEngine.on(
                RunningEngine.at(proxy.jdbcUrl()).build(),
                EngineConfig.defaults(),
                new Handlers().with(ECHO, (job, input) -> input))) {
      statement.execute(GATE);
      statement.execute("SELECT pg_advisory_lock(4711)");
      var id = engine.jobs().submit(CALLER, ECHO.request("x")).jobId();
      await()
          .until(
              () ->
                  Works.ask(
                          database,
                          "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT"
                              + " granted")
                      .equals("1"));

      proxy.cutAll();
      statement.execute("SELECT pg_advisory_unlock(4711)");

      await()
          .atMost(SOON)
          .ignoreExceptions() // Until it is connected again.
          .until(
              () -> engine.jobs().find(CALLER, id).orElseThrow().status() == JobStatus.SUCCEEDED);
      assertThat(engine.jobs().find(CALLER, id).orElseThrow().attempts()).isEqualTo(1);
    }
  }
}
