package io.leasehold.engine;

import static io.leasehold.engine.HandlerBinder.handlerBinder;
import static io.leasehold.engine.Works.CALLER;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.inject.AbstractModule;
import io.leasehold.db.Transactions;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobResult;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.testkit.TestDatabase;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The examples of docs/guide/steps.md. */
class StepsGuideTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final List<String> done = new CopyOnWriteArrayList<>();
  private static final JobType<String, String> MAIL = Handlers.type("mail");

  record Order(UUID id, int amount) {}

  record Receipt(String payment, String mail) {}

  private static final class Payments {
    String charge(Order order, String key) {
      done.add("charge " + order.amount());
      return "payment " + key;
    }

    void ship() {
      done.add("ship");
      if (done.size() < 4) {
        throw new IllegalStateException("the carrier does not answer");
      }
    }
  }

  static final class Buy implements JobHandler<Order, Receipt> {

    static final JobType<Order, Receipt> TYPE =
        JobType.restartable(
                "gts.x.core.jobs.handler.v1~acme.shop.orders.buy.v1", Order.class, Receipt.class)
            .queue("orders")
            .retry(RetryPolicy.exponential(5).first(Duration.ofMillis(1)));

    private final Payments payments = new Payments();
    private final Transactions transactions;
    private final JobService jobs;

    @Inject
    Buy(Transactions transactions, JobService jobs) {
      this.transactions = transactions;
      this.jobs = jobs;
    }

    @Override
    public Receipt run(JobContext job, Order order) throws Exception {
      var payment =
          job.step("charge", String.class, () -> payments.charge(order, job.id().toString()));
      var mail =
          transactions.asTenant(
              job.caller(),
              tx ->
                  job.step(
                      "mail",
                      String.class,
                      () -> jobs.submit(tx, MAIL.request(payment)).jobId().toString()));
      payments.ship();
      return new Receipt(payment, mail);
    }
  }

  record Import(int rows) {}

  static final class ImportRows implements JobHandler<Import, Integer> {

    static final JobType<Import, Integer> TYPE =
        JobType.restartable(
                "gts.x.core.jobs.handler.v1~acme.shop.rows.take_over.v1",
                Import.class,
                Integer.class)
            .queue("imports")
            .retry(RetryPolicy.exponential(5).first(Duration.ofMillis(1)));

    @Override
    public Integer run(JobContext job, Import input) {
      var next = job.lastCheckpoint(Integer.class).orElse(0);
      while (next < input.rows()) {
        next = importHundredFrom(next);
        job.checkpoint(next);
      }
      return next;
    }

    private static int importHundredFrom(int row) {
      done.add("from " + row);
      if (done.size() == 3) {
        throw new IllegalStateException("the source is away");
      }
      return row + 100;
    }
  }

  static final class ShopModule extends AbstractModule {
    @Override
    protected void configure() {
      handlerBinder(binder()).handle(Buy.TYPE).with(Buy.class);
      handlerBinder(binder()).handle(ImportRows.TYPE).with(ImportRows.class);
    }
  }

  @Test
  void chargesOnce() {
    done.clear();
    try (var engine = RunningEngine.on(database, EngineConfig.defaults(), new ShopModule())) {
      var id = engine.jobs().submit(CALLER, Buy.TYPE.request(new Order(new UUID(1, 2), 7))).jobId();

      engine.jobs().await(CALLER, id, Duration.ofSeconds(30));

      assertThat(engine.jobs().result(CALLER, id, Receipt.class))
          .isInstanceOf(JobResult.Succeeded.class);
      assertThat(done).containsExactly("charge 7", "ship", "ship", "ship");
      assertThat(Works.ask(database, "SELECT count(*) FROM leasehold.job WHERE queue = 'mail'"))
          .isEqualTo("1");
    }
  }

  @Test
  void resumesFromItsCheckpoint() {
    done.clear();
    try (var engine = RunningEngine.on(database, EngineConfig.defaults(), new ShopModule())) {
      var id = engine.jobs().submit(CALLER, ImportRows.TYPE.request(new Import(400))).jobId();

      engine.jobs().await(CALLER, id, Duration.ofSeconds(30));

      assertThat(engine.jobs().result(CALLER, id, Integer.class))
          .isEqualTo(new JobResult.Succeeded<>(400));
      assertThat(done).containsExactly("from 0", "from 100", "from 200", "from 200", "from 300");
    }
  }
}
