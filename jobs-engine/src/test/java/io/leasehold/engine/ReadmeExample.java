package io.leasehold.engine;

import static io.leasehold.engine.HandlerBinder.handlerBinder;
import static org.jooq.impl.DSL.name;

import com.google.inject.AbstractModule;
import io.leasehold.db.Transactions;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.SecurityContext;
import java.net.URI;
import java.time.Duration;
import java.time.YearMonth;
import java.util.UUID;
import org.jooq.TableField;
import org.jooq.impl.SQLDataType;
import org.jooq.impl.TableImpl;

/**
 * The example of the README, word for word, so that it compiles. {@link MonthlyReportTest} runs
 * such a handler.
 */
final class ReadmeExample extends AbstractModule {

  private static final Orders ORDERS = new Orders();

  @SuppressWarnings("MissingOverride") // As short as a reader needs it.
  void example(Transactions transactions, JobService jobs, SecurityContext caller, UUID customer) {
    record ReportInput(UUID customer, YearMonth month) {}
    record ReportOutput(URI file) {}

    final class MonthlyReport implements JobHandler<ReportInput, ReportOutput> {
      static final JobType<ReportInput, ReportOutput> TYPE =
          JobType.restartable(
                  "gts.x.core.jobs.handler.v1~acme.reports.monthly.report.v1",
                  ReportInput.class,
                  ReportOutput.class)
              .queue("reports")
              .timeout(Duration.ofMinutes(10))
              .retry(RetryPolicy.exponential(5));

      public ReportOutput run(JobContext job, ReportInput input) {
        job.progress(50, "rendering");
        return new ReportOutput(render(input, job.fenceToken()));
      }
    }

    handlerBinder(binder()).handle(MonthlyReport.TYPE).with(MonthlyReport.class);

    var input = new ReportInput(customer, YearMonth.of(2026, 10));
    transactions.asTenant(
        caller,
        tx -> {
          tx.insert(ORDERS).set(ORDERS.CODE, "2026-10").execute();
          return jobs.submit(tx, MonthlyReport.TYPE.request(input).key("2026-10"));
        });
  }

  private static URI render(Record input, long fenceToken) {
    return URI.create("file:///%s-%d".formatted(input, fenceToken));
  }

  private static final class Orders extends TableImpl<org.jooq.Record> {

    private static final long serialVersionUID = 1L;

    final TableField<org.jooq.Record, String> CODE =
        createField(name("code"), SQLDataType.CLOB, this);

    private Orders() {
      super(name("orders"));
    }
  }
}
