package io.leasehold.engine;

import static io.leasehold.engine.HandlerBinder.handlerBinder;
import static io.leasehold.engine.Works.CALLER;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.outputs.JobOutput;
import io.leasehold.jobs.outputs.JobOutputs;
import io.leasehold.jobs.outputs.OutputDraft;
import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/guide/outputs.md. */
class OutputsGuideTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  @TempDir private Path shared;

  record Month(int year, int month) {}

  static final class Report implements JobHandler<Month, String> {

    static final JobType<Month, String> TYPE =
        JobType.restartable(
            "gts.x.core.jobs.handler.v1~acme.shop.month.report.v1", Month.class, String.class);

    @Override
    public String run(JobContext job, Month month) throws IOException {
      var report = job.output("report.csv", "text/csv", out -> writeRows(month, out));
      return report.sha256();
    }

    private static void writeRows(Month month, OutputStream out) throws IOException {
      out.write("year,month\n%d,%d\n".formatted(month.year(), month.month()).getBytes(UTF_8));
    }
  }

  static final class Export implements JobHandler<Integer, Long> {

    static final JobType<Integer, Long> TYPE =
        JobType.restartable(
                "gts.x.core.jobs.handler.v1~acme.shop.rows.export.v1", Integer.class, Long.class)
            .retry(RetryPolicy.exponential(5).first(Duration.ofMillis(1)));

    record Last(int row, OutputDraft.Kept kept) {}

    @Override
    public Long run(JobContext job, Integer rows) throws IOException {
      var last = job.lastCheckpoint(Last.class).orElse(new Last(0, OutputDraft.Kept.NOTHING));
      try (var draft = job.draft(last.kept())) {
        var first = draft.length() == last.kept().bytes() ? last.row() : 0;
        for (var row = first; row < rows; row++) {
          var line = line(job, row);
          draft.write(line, 0, line.length);
          job.checkpoint(new Last(row + 1, draft.keep()));
        }
        return draft.finish("rows.txt", "text/plain").size();
      }
    }

    private static byte[] line(JobContext job, int row) {
      if (row % 10 == 9 && job.attempt() == row / 10 + 1) {
        throw new IllegalStateException("the source is away");
      }
      return "row %d of attempt %d\n".formatted(row, job.attempt()).getBytes(UTF_8);
    }
  }

  private static String read(JobOutputs outputs, SecurityContext caller, JobId job)
      throws IOException {
    try (var report = outputs.open(caller, job, "report.csv").orElseThrow()) {
      return new String(report.bytes().readAllBytes(), UTF_8);
    }
  }

  @Test
  void storesAReport() throws IOException {
    try (var engine = engine()) {
      var id = engine.jobs().submit(CALLER, Report.TYPE.request(new Month(2026, 10))).jobId();
      engine.jobs().await(CALLER, id, Duration.ofSeconds(30));

      var outputs = engine.outputs();
      assertThat(outputs.list(CALLER, id).orElseThrow())
          .extracting(JobOutput::name, JobOutput::mediaType, JobOutput::size)
          .containsExactly(tuple("report.csv", "text/csv", 19L));
      assertThat(read(outputs, CALLER, id)).isEqualTo("year,month\n2026,10\n");
    }
  }

  @Test
  void resumesItsDraft() throws IOException {
    try (var engine = engine()) {
      var id = engine.jobs().submit(CALLER, Export.TYPE.request(25)).jobId();
      engine.jobs().await(CALLER, id, Duration.ofSeconds(30));

      try (var rows = engine.outputs().open(CALLER, id, "rows.txt").orElseThrow()) {
        assertThat(new String(rows.bytes().readAllBytes(), UTF_8).lines().toList())
            .hasSize(25)
            .isEqualTo(
                IntStream.range(0, 25)
                    .mapToObj(
                        row ->
                            "row %d of attempt %d".formatted(row, Math.min(3, (row + 1) / 10 + 1)))
                    .toList());
      }
    }
  }

  private RunningEngine engine() {
    var config = EngineConfig.defaults().outputs(OutputConfig.defaults().folder(shared));
    return RunningEngine.on(
        database,
        config,
        binder -> {
          handlerBinder(binder).handle(Report.TYPE).with(Report.class);
          handlerBinder(binder).handle(Export.TYPE).with(Export.class);
        });
  }
}
