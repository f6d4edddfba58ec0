package io.leasehold.engine.service.submit;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;
import static org.jooq.impl.DSL.name;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.Submission;
import java.util.List;
import java.util.UUID;
import org.jooq.Record;
import org.jooq.Schema;
import org.jooq.TableField;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jooq.impl.TableImpl;

/** A module's own table: each row names the jobs that were submitted together with it. */
final class Purchase extends TableImpl<Record> {

  static final Purchase PURCHASE = new Purchase();

  private static final long serialVersionUID = 1L;

  final TableField<Record, UUID> tenant = createField(name("tenant_id"), SQLDataType.UUID, this);
  private final TableField<Record, String> shopper =
      createField(name("shopper"), SQLDataType.CLOB, this);
  private final TableField<Record, String> jobs = createField(name("jobs"), SQLDataType.CLOB, this);
  private final TableField<Record, String> repeats =
      createField(name("repeats"), SQLDataType.CLOB, this);
  private final TableField<Record, Integer> backend =
      createField(name("backend"), SQLDataType.INTEGER, this);

  private Purchase() {
    super(name("purchase"), DSL.schema(name("shop")));
  }

  @Override
  public Schema getSchema() {
    return DSL.schema(name("shop"));
  }

  /** A request, and what came of it. */
  record Line(JobRequest<String, String> request, Submission submission) {}

  /** Inserts a purchase, and answers which of the server's processes did it. */
  int insert(ScopedTransaction tx, String byWhom, List<Line> lines) {
    var inserted =
        tx.insert(this)
            .set(shopper, byWhom)
            .set(
                jobs,
                lines.stream()
                    .filter(line -> !line.submission().repeated())
                    .map(line -> line.submission().jobId() + " " + line.request().input())
                    .collect(joining("\n")))
            .set(
                repeats,
                lines.stream()
                    .filter(line -> line.submission().repeated())
                    .map(line -> line.submission().jobId().toString())
                    .collect(joining("\n")))
            .returning(backend)
            .fetchSingle(backend);
    return requireNonNull(inserted);
  }
}
