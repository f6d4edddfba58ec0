package io.leasehold.testkit;

import static io.leasehold.engine.HandlerBinder.handlerBinder;

import com.google.inject.AbstractModule;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.SecurityContext;
import jakarta.inject.Inject;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A module as users write them: it submits jobs, and handles them. */
final class Invoices extends AbstractModule {

  /** Asks for a customer's invoice. */
  record Order(String customer, List<Integer> prices) {}

  /** A sum, as it was told to the customer. */
  record Invoice(String customer, int total) {}

  /** Writes an invoice, and has it mailed. */
  static final class WriteInvoice implements JobHandler<Order, Invoice> {

    static final JobType<Order, Invoice> TYPE =
        JobType.restartable(
                "gts.x.core.jobs.handler.v1~acme.shop.invoices.write.v1",
                Order.class,
                Invoice.class)
            .queue("invoices")
            .retry(RetryPolicy.exponential(3).first(Duration.ofMinutes(1)));

    private final JobService jobs;

    @Inject
    WriteInvoice(JobService jobs) {
      this.jobs = jobs;
    }

    @Override
    public Invoice run(JobContext job, Order order) throws Exception {
      int total =
          job.step(
              "sum", Integer.class, () -> order.prices().stream().mapToInt(price -> price).sum());
      job.progress(50, "mailing");
      if (order.customer().equals("unknown") && job.attempt() == 1) {
        throw new IOException("no such customer yet");
      }
      var invoice = new Invoice(order.customer(), total);
      jobs.submit(job.caller(), Mail.TYPE.request(invoice).key("invoice of " + job.id()));
      return invoice;
    }
  }

  /** Mails something. */
  static final class Mail implements JobHandler<Invoice, String> {

    static final JobType<Invoice, String> TYPE =
        JobType.restartable(
            "gts.x.core.jobs.handler.v1~acme.shop.invoices.mail.v1", Invoice.class, String.class);

    @Override
    public String run(JobContext job, Invoice invoice) {
      job.event("log", "mailing " + invoice);
      return "mailed " + invoice.total();
    }
  }

  /** What the module offers: tests start here. */
  static final class Shop {

    private final JobService jobs;

    @Inject
    Shop(JobService jobs) {
      this.jobs = jobs;
    }

    void buy(SecurityContext caller, Order order) {
      jobs.submit(
          caller,
          WriteInvoice.TYPE
              .request(order)
              .delay(order.prices().isEmpty() ? Duration.ofHours(1) : Duration.ZERO));
    }
  }

  @Override
  protected void configure() {
    handlerBinder(binder()).handle(WriteInvoice.TYPE).with(WriteInvoice.class);
    handlerBinder(binder()).handle(Mail.TYPE).with(Mail.class);
    bind(Shop.class);
  }
}
