package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.google.inject.AbstractModule;
import com.google.inject.Singleton;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.PermanentFailure;
import io.leasehold.jobs.RetryLater;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The example of the guide's page on handlers. */
class SendInvoiceTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();

  record Invoice(String number, long cents) {

    void requireComplete() {
      if (cents <= 0) {
        throw new IllegalArgumentException("cents must be positive, not " + cents);
      }
    }
  }

  static final class PostBusy extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Tries again what failed because the post was busy, and nothing else. */
  static final class OnlyIfBusy implements RetryPolicy {

    @Override
    public int maxAttempts() {
      return 5;
    }

    @Override
    public Duration delayAfter(int attempt, RandomGenerator random) {
      return Duration.ofMillis(100L * attempt);
    }

    @Override
    public boolean isWorthAnother(Throwable failure) {
      return failure instanceof PostBusy;
    }
  }

  static final class SendInvoice implements JobHandler<Invoice, String> {

    static final JobType<Invoice, String> TYPE =
        JobType.restartable(
                "gts.x.core.jobs.handler.v1~acme.billing.invoices.send.v1",
                Invoice.class,
                String.class)
            .timeout(Duration.ofSeconds(30))
            .retry(new OnlyIfBusy())
            .check(Invoice::requireComplete);

    private final Post post;

    @Inject
    SendInvoice(Post post) {
      this.post = post;
    }

    @Override
    public String run(JobContext job, Invoice invoice) {
      if (!post.isOpen()) {
        throw new RetryLater(Duration.ofMillis(500));
      }
      if (invoice.number().isEmpty()) {
        throw new PermanentFailure("an invoice without a number is never sent");
      }
      return post.send(invoice.number());
    }

    @Override
    public void onSuccess(JobContext job, Invoice invoice, String receipt) {
      post.note("sent %s: %s".formatted(invoice.number(), receipt));
    }

    @Override
    public void onFailure(JobContext job, Invoice invoice, Throwable failure) {
      post.note("not sent: " + failure.getMessage());
    }
  }

  /** Opens after the first question whether it is open, and is busy at the first letter. */
  @Singleton
  static final class Post {

    private final List<String> notes = new CopyOnWriteArrayList<>();
    private int asked;
    private int sent;

    @Inject
    Post() {}

    synchronized boolean isOpen() {
      return asked++ > 0;
    }

    synchronized String send(String number) {
      if (sent++ == 0) {
        throw new PostBusy();
      }
      return "receipt of " + number;
    }

    void note(String what) {
      notes.add(what);
    }
  }

  private static final Post post = new Post();
  private static RunningEngine engine;

  static final class BillingModule extends AbstractModule {
    @Override
    protected void configure() {
      HandlerBinder.handlerBinder(binder()).handle(SendInvoice.TYPE).with(SendInvoice.class);
      bind(Post.class).toInstance(post);
    }
  }

  @BeforeAll
  static void start() {
    engine = RunningEngine.on(database, EngineConfig.defaults(), new BillingModule());
  }

  @AfterAll
  static void stop() {
    engine.close();
  }

  @Test
  void isSentOnceThePostIsOpenAndNotBusy() {
    var request = SendInvoice.TYPE.request(new Invoice("2026-7", 100));
    var id =
        engine.jobs().submit(CALLER, request.timeout(Duration.ofSeconds(5)).maxAttempts(3)).jobId();

    var job = awaitEnd(id);

    assertThat(job.status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(job.attempts()).isEqualTo(2);
    assertThat(post.notes).contains("sent 2026-7: receipt of 2026-7");
  }

  @Test
  void isNeverSentWithoutANumber() {
    var id = engine.jobs().submit(CALLER, SendInvoice.TYPE.request(new Invoice("", 1))).jobId();

    assertThat(awaitEnd(id).status()).isEqualTo(JobStatus.FAILED);
    assertThat(post.notes).contains("not sent: an invoice without a number is never sent");
  }

  @Test
  void isNotAcceptedWithoutAnAmount() {
    assertThatExceptionOfType(JobsException.class)
        .isThrownBy(
            () -> engine.jobs().submit(CALLER, SendInvoice.TYPE.request(new Invoice("8", 0))))
        .withMessage("cents must be positive, not 0");
  }

  private static Job awaitEnd(JobId id) {
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> engine.jobs().find(CALLER, id).orElseThrow().status().isFinal());
    return engine.jobs().find(CALLER, id).orElseThrow();
  }
}
