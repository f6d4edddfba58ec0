package io.leasehold.engine.service.submit;

import static io.leasehold.db.schema.Tables.SUBMIT_ALL;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.Submission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jooq.Field;
import org.jooq.Records;
import org.jooq.Table;
import org.jspecify.annotations.Nullable;

/**
 * Writes requests to the queue, in the caller's transaction: one statement for all requests that
 * differ only in input, metadata and key.
 */
final class SubmitJobs {

  private SubmitJobs() {}

  private record Placed(int place, JobRequest<?, ?> request) {}

  /** Returns the result of each request, in the order of the requests. */
  static List<Submission> submit(ScopedTransaction tx, List<? extends JobRequest<?, ?>> requests) {
    Map<Alike, List<Placed>> alike = new LinkedHashMap<>();
    for (int i = 0; i < requests.size(); i++) {
      var request = requests.get(i);
      alike.computeIfAbsent(Alike.of(request), _ -> new ArrayList<>()).add(new Placed(i, request));
    }
    var submissions =
        new ArrayList<@Nullable Submission>(Collections.nCopies(requests.size(), null));
    alike.forEach(
        (shared, placed) -> {
          var done = submit(tx, shared, placed.stream().map(Placed::request).toList());
          for (int i = 0; i < done.size(); i++) {
            submissions.set(placed.get(i).place(), done.get(i));
          }
        });
    return List.copyOf(submissions);
  }

  private static List<Submission> submit(
      ScopedTransaction tx, Alike alike, List<? extends JobRequest<?, ?>> requests) {
    return AttachMirrors.around(
        tx,
        alike.mirror(),
        requests,
        () ->
            alike.isPlain()
                ? submitPlain(tx, alike, requests)
                : SubmitAfter.submit(tx, alike, requests));
  }

  private static List<Submission> submitPlain(
      ScopedTransaction tx, Alike alike, List<? extends JobRequest<?, ?>> requests) {
    var type = alike.type();
    var caller = tx.caller();
    var submitted =
        SUBMIT_ALL.call(
            type.handler().value(),
            type.queue(),
            (short) alike.priority(),
            (short) alike.maxAttempts(),
            alike.timeout().map(Duration::toMillis).orElse(null),
            alike.delay().toMillis(),
            caller.principal(),
            Requests.correlation(caller),
            Requests.inputs(requests),
            Requests.metadataOf(requests),
            Requests.keys(requests));
    return submissions(tx, submitted, submitted.ID, submitted.REPEATED);
  }

  /** Reads the submissions of a function that writes requests, in the order of the requests. */
  static List<Submission> submissions(
      ScopedTransaction tx, Table<?> submitted, Field<JobId> id, Field<Boolean> repeated) {
    return tx.dsl().select(id, repeated).from(submitted).fetch(Records.mapping(Submission::new));
  }
}
