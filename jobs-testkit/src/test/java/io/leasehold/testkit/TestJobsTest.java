package io.leasehold.testkit;

import static io.leasehold.engine.HandlerBinder.handlerBinder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobResult;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.Invoices.Invoice;
import io.leasehold.testkit.Invoices.Mail;
import io.leasehold.testkit.Invoices.Order;
import io.leasehold.testkit.Invoices.Shop;
import io.leasehold.testkit.Invoices.WriteInvoice;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TestJobsTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final JobType<String, String> REMINDER =
      JobType.restartable(
          "gts.x.core.jobs.handler.v1~acme.shop.invoices.remind.v1", String.class, String.class);

  private static final JobType<String, String> LETTER =
      JobType.restartable(
          "gts.x.core.jobs.handler.v1~acme.shop.invoices.letter.v1", String.class, String.class);

  private final SecurityContext ann =
      SecurityContext.of("ann", new TenantId(UUID.randomUUID())).build();
  private final TestJobs jobs = TestJobs.on(database, new Invoices());

  @AfterEach
  void close() {
    jobs.close();
  }

  @Test
  void listsSubmittedJobs() {
    var order = new Order("bob", List.of(3, 4));

    jobs.instance(Shop.class).buy(ann, order);

    var submitted = jobs.assertSubmitted(WriteInvoice.TYPE, order);
    assertThat(submitted.tenant()).isEqualTo(ann.tenant());
    assertThat(submitted.dueIn()).isZero();
    jobs.assertNoneSubmitted(REMINDER);
  }

  @Test
  void hasTheOutputsOfJobs() throws IOException {
    try (var letters =
        TestJobs.on(
            database,
            binder ->
                handlerBinder(binder)
                    .handle(LETTER)
                    .with((job, to) -> job.output(to, "a/b", out -> out.write('1')).name()))) {
      var id = letters.service().submit(ann, LETTER.request("bob.txt")).jobId();

      letters.runDue();

      try (var left = letters.outputs().open(ann, id, "bob.txt").orElseThrow()) {
        assertThat(left.bytes().readAllBytes()).containsExactly('1');
      }
    }
  }

  @Test
  void assertsFailForMissingJobs() {
    var order = new Order("eve", List.of(1));
    var other = new Order("eve", List.of(2));
    jobs.instance(Shop.class).buy(ann, order);

    assertThatThrownBy(() -> jobs.assertSubmitted(WriteInvoice.TYPE, other))
        .isInstanceOf(AssertionError.class)
        .hasMessageContainingAll("should have been submitted, not 0", "prices=[1]");
    assertThatThrownBy(() -> jobs.assertNoneSubmitted(WriteInvoice.TYPE))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("prices=[1]");
    jobs.instance(Shop.class).buy(ann, order);
    assertThatThrownBy(() -> jobs.assertSubmitted(WriteInvoice.TYPE, order))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("not 2");
  }

  @Test
  void runsDependents() {
    var service = jobs.service();
    var order = WriteInvoice.TYPE.request(new Order("tom", List.of(1)));
    var first = service.submit(ann, order).jobId();
    var last = service.submit(ann, order.after(first)).jobId();

    jobs.runDue();

    assertThat(service.find(ann, last).orElseThrow().status()).isEqualTo(JobStatus.SUCCEEDED);
  }

  @Test
  void runsDueJobsAndTheJobsThatTheySubmit() {
    var order = new Order("zoe", List.of(5, 6));
    jobs.instance(Shop.class).buy(ann, order);

    var ran = jobs.runDue();

    assertThat(ran).isGreaterThanOrEqualTo(2);
    assertThat(result(jobs, WriteInvoice.TYPE.output(), only(order)))
        .isEqualTo(new JobResult.Succeeded<>(new Invoice("zoe", 11)));
    var mail = jobs.assertSubmitted(Mail.TYPE, new Invoice("zoe", 11));
    assertThat(mail.key()).hasValue("invoice of " + only(order));
    assertThat(result(jobs, String.class, mail.id()))
        .isEqualTo(new JobResult.Succeeded<>("mailed 11"));
    assertThat(jobs.runDue()).isZero();
  }

  @Test
  void movesTheTimeOfADelayedJob() {
    var order = new Order("max", List.of());
    jobs.instance(Shop.class).buy(ann, order);
    jobs.runDue();
    assertThat(status(only(order))).isEqualTo(JobStatus.QUEUED);
    assertThat(jobs.assertSubmitted(WriteInvoice.TYPE, order).dueIn())
        .isBetween(Duration.ofMinutes(59), Duration.ofHours(1));

    jobs.moveTime(only(order), Duration.ofHours(1));
    jobs.runDue();

    assertThat(status(only(order))).isEqualTo(JobStatus.SUCCEEDED);
  }

  @Test
  void runsAnotherAttemptWhenItsTimeWasMoved() {
    var order = new Order("unknown", List.of(7));
    jobs.instance(Shop.class).buy(ann, order);
    jobs.runDue();
    assertThat(jobs.service().find(ann, only(order)).orElseThrow().lastError())
        .hasValue("java.io.IOException: no such customer yet");

    jobs.moveTime(only(order), Duration.ofMinutes(1));
    jobs.runDue();

    assertThat(jobs.service().find(ann, only(order)).orElseThrow().attempts()).isEqualTo(2);
    assertThat(status(only(order))).isEqualTo(JobStatus.SUCCEEDED);
  }

  @Test
  void refusesToMoveAJobWithoutADelay() {
    assertThatThrownBy(() -> jobs.moveTime(new JobId(UUID.randomUUID()), Duration.ofHours(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("has no time to move");
  }

  @Test
  void runsSubmittedJobsInlineAndTheJobsThatTheySubmit() {
    try (var inline = TestJobs.inline(database, new Invoices())) {
      inline.instance(Shop.class).buy(ann, new Order("kim", List.of(8, 9)));

      var all = inline.service().list(ann, JobFilter.newest()).jobs();
      assertThat(all).hasSize(2).allMatch(job -> job.status() == JobStatus.SUCCEEDED);
    }
  }

  @Test
  void runsOnlyCommittedJobsInline() {
    try (var inline = TestJobs.inline(database, new Invoices())) {
      var order = new Order("liz", List.of(10));
      inline
          .transactions()
          .asTenant(
              ann,
              tx -> {
                var id = inline.service().submit(tx, WriteInvoice.TYPE.request(order)).jobId();
                assertThat(inline.service().find(ann, id).orElseThrow().status())
                    .isEqualTo(JobStatus.QUEUED);
                return id;
              });

      assertThat(status(only(order))).isEqualTo(JobStatus.SUCCEEDED);
    }
  }

  private JobId only(Order order) {
    return jobs.assertSubmitted(WriteInvoice.TYPE, order).id();
  }

  private JobStatus status(JobId id) {
    return jobs.service().find(ann, id).orElseThrow().status();
  }

  private <O> JobResult<O> result(TestJobs jobs, Class<O> output, JobId id) {
    return jobs.service().result(ann, id, output);
  }
}
