package io.leasehold.engine.service.submit;

import static io.leasehold.db.schema.Tables.ATTACH_MIRRORS;
import static io.leasehold.db.schema.Tables.EXPECT_MIRROR;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.Submission;
import io.leasehold.jobs.spi.Mirror;
import io.leasehold.jobs.spi.MirrorTable;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/** Attaches mirror records to jobs, in the transaction that submits the jobs. */
public final class AttachMirrors {

  private AttachMirrors() {}

  /** Submits one request and attaches the record that it names, if any. */
  public static Submission around(
      ScopedTransaction tx, JobRequest<?, ?> request, Supplier<Submission> submit) {
    return around(
            tx, request.mirror().map(Mirror::table), List.of(request), () -> List.of(submit.get()))
        .getFirst();
  }

  /**
   * Submits requests and attaches the records that they name.
   *
   * @param table the table of all these records, if the requests name any
   * @param submit returns the submission of each request, in order
   * @throws JobsException with {@link ErrorCode#MIRROR_UNKNOWN} or {@link ErrorCode#MIRROR_BUSY}.
   *     The transaction has then failed, and nothing is stored
   */
  public static List<Submission> around(
      ScopedTransaction tx,
      Optional<MirrorTable> table,
      List<? extends JobRequest<?, ?>> requests,
      Supplier<List<Submission>> submit) {
    table.ifPresent(mirrorTable -> expect(tx, mirrorTable));
    var submissions = submit.get();
    table.ifPresent(mirrorTable -> attach(tx, mirrorTable, requests, submissions));
    return submissions;
  }

  private static void expect(ScopedTransaction tx, MirrorTable table) {
    var expected = EXPECT_MIRROR.call(table.name());
    tx.dsl().select(expected.NUMBER).from(expected).fetch();
  }

  private static void attach(
      ScopedTransaction tx,
      MirrorTable table,
      List<? extends JobRequest<?, ?>> requests,
      List<Submission> submissions) {
    var attached =
        ATTACH_MIRRORS.call(
            table.name(),
            requests.stream()
                .map(request -> request.mirror().orElseThrow().record())
                .toArray(UUID[]::new),
            submissions.stream().map(Submission::jobId).map(JobId::value).toArray(UUID[]::new),
            submissions.stream().map(Submission::repeated).toArray(Boolean[]::new));
    tx.dsl().select(attached.ATTACHED).from(attached).fetch();
  }
}
