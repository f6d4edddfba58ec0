package io.leasehold.engine;

import static io.leasehold.db.TenantTableBinder.tenantTables;
import static io.leasehold.engine.HandlerBinder.handlerBinder;
import static io.leasehold.engine.Shipment.SHIPMENT;
import static io.leasehold.engine.Shipment.SHIPMENT_V;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.google.inject.AbstractModule;
import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.TransactionalJobHandler;
import io.leasehold.db.TransactionalJobInterceptor;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobResult;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.PermanentFailure;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What runs in the transaction of a transactional handler. Examples of the guide are here. */
class TransactionalInterceptorsTest {

  @RegisterExtension
  static final TestDatabase database = new TestDatabase("/io/leasehold/engine/shipments.sql");

  private static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();
  private static final JobType<String, String> SHIP = Handlers.type("ship");
  private static final JobType<String, String> COUNT = Handlers.type("count");
  private static final JobType<String, String> PLAIN = Handlers.type("plain");

  private static final List<String> calls = new CopyOnWriteArrayList<>();
  private static RunningEngine engine;

  /**
   * Where a job belongs.
   *
   * @param name of the region
   * @param sites in it
   */
  record Region(String name, List<Integer> sites) {}

  /** Has a handler write and see the rows of the region that its job names. */
  static final class SetRegion implements TransactionalJobInterceptor {

    @Override
    public void before(ScopedTransaction tx, JobContext job) {
      job.metadata("region", Region.class)
          .ifPresent(region -> tx.localSetting("acme.region", region.name()));
    }
  }

  static final class Shipping extends AbstractModule {
    @Override
    protected void configure() {
      tenantTables(binder()).scoped(SHIPMENT).scoped(SHIPMENT_V).setting("acme.region");
      var handlers = handlerBinder(binder());
      handlers.interceptInTransaction(SetRegion.class);
    }
  }

  /** Notes when it is called, and does what a job asks for. */
  private record Noting(String name) implements TransactionalJobInterceptor {

    @Override
    public void before(ScopedTransaction tx, JobContext job) {
      calls.add("before " + name);
      job.metadata("set", String.class).ifPresent(setting -> tx.localSetting(setting, "off"));
    }

    @Override
    public void after(ScopedTransaction tx, JobContext job, @Nullable Object output) {
      calls.add("after %s: %s".formatted(name, output));
      if (job.metadata().getOrDefault("fails after", "").equals(name)) {
        throw new IllegalStateException("thrown after by " + name);
      }
    }

    @Override
    public void beforeFailure(ScopedTransaction tx, JobContext job) {
      calls.add("beforeFailure " + name);
    }
  }

  /** Ships what its input names. */
  private static final class Ship implements TransactionalJobHandler<String, String> {

    @Override
    public String run(ScopedTransaction tx, JobContext job, String label) {
      calls.add("run");
      Shipment.insert(tx, label);
      if (label.equals("broken")) {
        throw new PermanentFailure("it is broken");
      }
      return label;
    }

    @Override
    public void onSuccess(ScopedTransaction tx, JobContext job, String label, String output) {
      calls.add("onSuccess");
    }

    @Override
    public void onFailure(ScopedTransaction tx, JobContext job, String label, Throwable failure) {
      Shipment.insert(tx, "returned: " + label);
      calls.add("onFailure");
    }
  }

  @BeforeAll
  static void start() {
    engine =
        RunningEngine.on(
            // One connection: each transaction of a tenant follows the one before on it.
            RunningEngine.at(database.jdbcUrl()).tenantConnections(1).build(),
            EngineConfig.defaults(),
            new Shipping(),
            new Handlers()
                .inTransaction(SHIP, new Ship())
                .inTransaction(COUNT, (tx, job, input) -> String.join(", ", Shipment.labels(tx)))
                .with(PLAIN, (job, input) -> input)
                .inTransactions(new Noting("outer"))
                .inTransactions(new Noting("inner")));
  }

  @AfterAll
  static void stop() {
    engine.close();
  }

  @BeforeEach
  void clear() {
    Works.ask(database, "DELETE FROM acme.shipment");
    calls.clear();
  }

  @Test
  void triggersAndViewsSeeTheSettingOfTheJobsMetadata() {
    assertThat(end(SHIP.request("a").metadata("region", region("north"))).status())
        .isEqualTo(JobStatus.SUCCEEDED);
    assertThat(end(SHIP.request("b").metadata("region", region("south"))).status())
        .isEqualTo(JobStatus.SUCCEEDED);

    assertThat(shipments()).isEqualTo("a in north, b in south");
    assertThat(output(COUNT.request("").metadata("region", region("south")))).isEqualTo("b");
  }

  /** On the same connection, which is the only one. */
  @Test
  void theNextTransactionDoesNotSeeTheSetting() {
    end(SHIP.request("a").metadata("region", region("north")));

    List<String> without = engine.transactions().asTenant(CALLER, Shipment::labels);
    List<String> with = engine.transactions().asTenant(CALLER, tx -> labels(tx, "north"));

    assertThat(without).isEmpty();
    assertThat(with).containsExactly("a");
    assertThat(output(COUNT.request(""))).isEmpty();
    assertThatExceptionOfType(JobsException.class)
        .isThrownBy(
            () -> engine.transactions().asTenant(CALLER, tx -> Shipment.insert(tx, "nowhere")));
  }

  private static List<String> labels(ScopedTransaction tx, String region) {
    tx.localSetting("acme.region", region);
    return Shipment.labels(tx);
  }

  @Test
  void interceptorsNestInTheOrderOfTheirRegistration() {
    end(SHIP.request("a").metadata("region", region("north")));

    assertThat(calls)
        .containsExactly(
            "before outer", "before inner", "run", "onSuccess", "after inner: a", "after outer: a");
  }

  @Test
  void anExceptionOfAnInterceptorFailsTheAttempt() {
    var job =
        end(
            SHIP.request("a")
                .metadata("region", region("north"))
                .metadata("fails after", "inner")
                .maxAttempts(1));

    assertThat(job.status()).isEqualTo(JobStatus.FAILED);
    assertThat(job.attempts()).isEqualTo(1);
    assertThat(job.lastError()).hasValue("java.lang.IllegalStateException: thrown after by inner");
    assertThat(shipments()).isEqualTo("returned: a in north");
    assertThat(calls)
        .containsExactly(
            "before outer",
            "before inner",
            "run",
            "onSuccess",
            "after inner: a",
            "beforeFailure outer",
            "beforeFailure inner",
            "onFailure");
  }

  @Test
  void afterIsNotCalledForAFailureAndOnFailureHasTheSetting() {
    var job = end(SHIP.request("broken").metadata("region", region("north")));

    assertThat(job.lastError().orElseThrow()).contains("it is broken");
    assertThat(shipments()).isEqualTo("returned: broken in north");
    assertThat(calls).doesNotContain("onSuccess").noneMatch(call -> call.startsWith("after"));
  }

  @Test
  void anUndeclaredSettingFailsTheAttemptBeforeTheHandler() {
    for (var setting : List.of("acme.other", "row_security", "leasehold.tenants")) {
      var job = end(SHIP.request("a").metadata("set", setting).maxAttempts(1));

      assertThat(job.status()).isEqualTo(JobStatus.FAILED);
      assertThat(job.lastError().orElseThrow()).contains("setting " + setting);
    }
    assertThat(calls).doesNotContain("run");
    assertThat(shipments()).isEqualTo("null");
  }

  @Test
  void aHandlerWithoutATransactionHasNoInterceptors() {
    end(PLAIN.request("x"));

    assertThat(calls).isEmpty();
  }

  private static Region region(String name) {
    return new Region(name, List.of(1, 2));
  }

  private static String shipments() {
    return Works.ask(
        database,
        "SELECT string_agg(label || ' in ' || region, ', ' ORDER BY label) FROM acme.shipment");
  }

  private static String output(JobRequest<String, String> request) {
    var job = end(request);
    var result = engine.jobs().result(CALLER, job.id(), String.class);
    return String.valueOf(((JobResult.Succeeded<String>) result).output());
  }

  private static Job end(JobRequest<String, String> request) {
    JobId id = engine.jobs().submit(CALLER, request).jobId();
    return await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> engine.jobs().find(CALLER, id).orElseThrow(), job -> job.status().isFinal());
  }
}
