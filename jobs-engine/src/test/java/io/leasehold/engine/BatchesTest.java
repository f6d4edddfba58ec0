package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.leasehold.db.Transactions;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.batches.Batch;
import io.leasehold.jobs.batches.BatchId;
import io.leasehold.jobs.batches.Batches;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Batches, and the examples of {@code docs/guide/batches.md}. */
class BatchesTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final JobType<Integer, Integer> LETTER =
      JobType.restartable(
              "gts.x.core.jobs.handler.v1~acme.post.letters.send.v1", Integer.class, Integer.class)
          .queue("letters");
  private static final JobType<String, String> SUMMARY = Handlers.type("summary");
  private static final JobType<String, String> UNHANDLED = Handlers.type("unhandled");

  private final CountDownLatch gate = new CountDownLatch(1);
  private final List<String> summaries = new CopyOnWriteArrayList<>();
  private final List<String> shown = new ArrayList<>();
  private final RunningEngine engine =
      RunningEngine.on(
          database,
          EngineConfig.defaults().cancelGrace(Duration.ofMillis(50)),
          new Handlers()
              .with(
                  LETTER,
                  (job, number) -> {
                    gate.await();
                    if (number < 0) {
                      throw new IllegalArgumentException("no such letter");
                    }
                    return number;
                  })
              .with(
                  SUMMARY,
                  (job, input) -> {
                    summaries.add(input);
                    return input;
                  }));
  private final JobService jobs = engine.jobs();
  private final Batches batches = engine.batches();
  private final Transactions transactions = engine.transactions();
  private final SecurityContext caller =
      SecurityContext.of("ann", new TenantId(UUID.randomUUID())).build();

  @AfterEach
  void stop() {
    gate.countDown();
    engine.close();
  }

  private static Iterator<JobRequest<Integer, Integer>> letters(int from, int to) {
    return IntStream.range(from, to).mapToObj(LETTER::request).iterator();
  }

  private Batch find(BatchId id) {
    return batches.find(caller, id).orElseThrow();
  }

  private void show(String text) {
    shown.add(text);
  }

  @Test
  void progressOfABatchIsThatOfItsJobs() {
    var letters = List.of(1, 2, 3);
    var id =
        batches.submit(
            caller,
            letters.stream().map(LETTER::request).iterator(),
            SUMMARY.request("all letters"));
    gate.countDown();
    var callback = find(id).callback().orElseThrow();
    jobs.await(caller, callback, SOON);

    var batch = batches.find(caller, id).orElseThrow();
    show("%d of %d, %d %%".formatted(batch.over(), batch.jobs(), batch.percent()));

    assertThat(shown).containsExactly("3 of 3, 100 %");
    assertThat(batch.counts()).isEqualTo(Map.of(JobStatus.SUCCEEDED, 3L));
    // The engine may also run the callback of an earlier test, which did not wait for it.
    assertThat(summaries).containsOnlyOnce("all letters");
  }

  @Test
  void callbackRunsHoweverTheJobsEnd() {
    var id = batches.submit(caller, letters(-2, 2), SUMMARY.request("s"));
    assertThat(find(id).percent()).isZero();
    gate.countDown();

    assertThat(end(find(id).callback().orElseThrow())).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(find(id).counts()).isEqualTo(Map.of(JobStatus.SUCCEEDED, 2L, JobStatus.FAILED, 2L));
    assertThat(find(id).isOver()).isTrue();
  }

  private JobStatus end(JobId id) {
    return jobs.await(caller, id, SOON).orElseThrow().status();
  }

  @Test
  void callbackWaitsForTheLastJob() {
    var id = batches.submit(caller, letters(0, 2), SUMMARY.request("too early"));
    var other = jobs.submit(caller, SUMMARY.request("other")).jobId();

    assertThat(end(other)).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(summaries).containsOnlyOnce("other").doesNotContain("too early");
    assertThat(find(id).isOver()).isFalse();
  }

  @Test
  void cancelOfABatchCancelsItsJobs() {
    var id =
        batches.submit(
            caller,
            IntStream.range(0, 1_200).mapToObj(i -> UNHANDLED.request("x")).iterator(),
            SUMMARY.request("s"));
    var running = batches.submit(caller, letters(0, 3), SUMMARY.request("r"));
    await().until(() -> find(running).counts().equals(Map.of(JobStatus.RUNNING, 3L)));

    assertThat(batches.cancel(caller, id)).isEqualTo(1_200);
    assertThat(batches.cancel(caller, running)).isEqualTo(3);

    assertThat(end(find(id).callback().orElseThrow())).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(end(find(running).callback().orElseThrow())).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(find(id).counts()).isEqualTo(Map.of(JobStatus.CANCELLED, 1_200L));
    assertThat(batches.cancel(caller, id)).isZero();
  }

  @Test
  void callbackOfAnEmptyBatchRunsAtOnce() {
    var id = batches.submit(caller, Collections.emptyIterator(), SUMMARY.request("s"));

    assertThat(end(find(id).callback().orElseThrow())).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(find(id).jobs()).isZero();
    assertThat(find(id).percent()).isEqualTo(100);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> batches.submit(caller, Collections.emptyIterator()));
  }

  @Test
  void batchWithoutACallbackShowsWhenItIsOver() {
    gate.countDown();
    var id = batches.submit(caller, letters(0, 1));

    await().atMost(SOON).until(() -> find(id).isOver());
    assertThat(find(id).callback()).isEmpty();
  }

  @Test
  void batchExistsIfItsTransactionCommits() {
    var id =
        transactions.asTenant(
            caller, tx -> batches.submit(tx, letters(0, 1), SUMMARY.request("s")));
    assertThat(batches.find(caller, id)).isPresent();

    Optional<BatchId> lost = Optional.empty();
    try {
      transactions.asTenant(
          caller,
          tx -> {
            throw new IllegalStateException(batches.submit(tx, letters(0, 1)).toString());
          });
    } catch (IllegalStateException e) {
      lost = Optional.of(BatchId.of(String.valueOf(e.getMessage())));
    }
    assertThat(batches.find(caller, lost.orElseThrow())).isEmpty();
  }

  @Test
  void anotherTenantSeesNoBatch() {
    var id = batches.submit(caller, letters(0, 2));
    var other = SecurityContext.of("eve", new TenantId(UUID.randomUUID())).build();

    assertThat(batches.find(other, id)).isEmpty();
    assertThat(batches.cancel(other, id)).isZero();
    assertThat(find(id).jobs()).isEqualTo(2);
  }

  @Test
  void batchIsRemovedWithItsJobs() {
    var id = batches.submit(caller, List.of(UNHANDLED.request("x").key("k")).iterator());
    var job = jobs.submit(caller, UNHANDLED.request("x").key("k")).jobId();

    jobs.delete(caller, job);

    assertThat(batches.find(caller, id)).isEmpty();
  }

  @Test
  void batchRefusesInMemoryJobs() {
    var type =
        JobType.inMemory(
            "gts.x.core.jobs.handler.v1~acme.tests.engine.memory.v1", String.class, String.class);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> batches.submit(caller, List.of(type.request("x")).iterator()));
  }
}
