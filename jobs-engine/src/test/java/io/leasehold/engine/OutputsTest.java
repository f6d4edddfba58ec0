package io.leasehold.engine;

import static io.leasehold.engine.Works.CALLER;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.leasehold.engine.work.outputs.Sweeping;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.outputs.JobOutput;
import io.leasehold.jobs.outputs.OutputDraft;
import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Files that jobs leave: under the fence, with their transaction, for their tenant. */
class OutputsTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final int BYTES_MOST = 100_000;
  private static final Duration MOST = Duration.ofSeconds(60);
  private static final JobType<String, String> TYPE =
      Handlers.type("outputs").retry(RetryPolicy.exponential(3).first(Duration.ofMillis(1)));
  private static final JobType<String, String> IN_TRANSACTION = Handlers.type("transaction");
  private static final JobType<String, String> IN_MEMORY =
      JobType.inMemory(
          "gts.x.core.jobs.handler.v1~acme.tests.engine.memory.v1", String.class, String.class);

  private static final Works works = new Works();

  @TempDir static Path folder;

  private static RunningEngine engine;

  @BeforeAll
  static void start() {
    var handlers =
        new Handlers()
            .with(TYPE, works)
            .with(IN_MEMORY, works)
            .inTransaction(IN_TRANSACTION, (tx, job, input) -> works.run(job, input));
    var outputs = OutputConfig.defaults().folder(folder).bytesMost(BYTES_MOST);
    var config =
        EngineConfig.defaults()
            .lease(Duration.ofSeconds(3))
            .rescueEvery(Duration.ofMillis(200))
            .outputs(outputs);
    engine = RunningEngine.on(database, config, handlers);
  }

  @AfterAll
  static void stop() {
    engine.close();
  }

  @Test
  void areReadAsTheyWereWritten() throws IOException {
    var id =
        run(
            (job, _) -> {
              leave(job, "b.txt", "beta");
              leave(job, "a.txt", "alpha");
              return leave(job, "empty", "").sha256();
            });

    assertThat(engine.outputs().list(CALLER, id).orElseThrow())
        .extracting(JobOutput::name)
        .containsExactly("a.txt", "b.txt", "empty");
    assertThat(read(id, "a.txt")).hasValue("alpha");
    assertThat(read(id, "empty")).hasValue("");
    assertThat(output(id, "a.txt").sha256())
        .isEqualTo("8ed3f6ad685b959ead7022518e1af76cd816f8e8ec7ccdda1ed4018e8f2223f8");
    assertThat(output(id, "a.txt").size()).isEqualTo(5);
  }

  @Test
  void canBeReadWhileTheJobRuns() throws Exception {
    var go = new CountDownLatch(1);
    var id =
        submit(
            (job, _) -> {
              leave(job, "first", "1");
              go.await();
              return "done";
            });

    await().atMost(MOST).until(() -> read(id, "first").isPresent());

    go.countDown();
    assertThat(ended(id)).isEqualTo(JobStatus.SUCCEEDED);
  }

  @Test
  void replaceThoseOfEarlierAttempts() throws IOException {
    var id =
        run(
            (job, _) -> {
              leave(job, "report", "of attempt " + job.attempt());
              if (job.attempt() < 3) {
                throw new IllegalStateException("again");
              }
              return "done";
            });

    assertThat(read(id, "report")).hasValue("of attempt 3");
  }

  @Test
  void existIfTheirTransactionCommits() throws IOException {
    var id =
        run(
            (job, _) -> {
              inTransaction(job, () -> leave(job, "committed", "1"), false);
              inTransaction(job, () -> leave(job, "rolled-back", "1"), true);
              return "done";
            });

    assertThat(names(id)).containsExactly("committed");
  }

  @Test
  void existIfTheTransactionThatEndsTheirJobCommits() throws IOException {
    var id = engine.jobs().submit(CALLER, IN_TRANSACTION.request(works.of(leaving()))).jobId();
    assertThat(ended(id)).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(read(id, "report")).hasValue("1");

    var failing =
        works.of(
            (job, input) -> {
              leave(job, "report", "1");
              throw new IllegalStateException("after it");
            });
    var failed = engine.jobs().submit(CALLER, IN_TRANSACTION.request(failing)).jobId();
    assertThat(ended(failed)).isEqualTo(JobStatus.FAILED);
    assertThat(names(failed)).isEmpty();
  }

  @Test
  void areRefusedToAWorkerWithoutTheLease() throws Exception {
    var refused = new CopyOnWriteArrayList<ErrorCode>();
    var overtaken = new CountDownLatch(1);
    var id =
        submit(
            (job, _) -> {
              if (job.attempt() > 1) {
                leave(job, "report", "of the second");
                overtaken.countDown();
                return "done";
              }
              lose(job.id());
              refused.add(refusal(() -> leave(job, "report", "of the first")).code());
              awaitUninterrupted(overtaken);
              refused.add(refusal(() -> leave(job, "report", "of the first")).code());
              return "late";
            });

    assertThat(ended(id)).isEqualTo(JobStatus.SUCCEEDED);

    await().atMost(MOST).until(() -> refused.size() == 2);
    assertThat(refused).containsOnly(ErrorCode.LEASE_LOST);
    assertThat(read(id, "report")).hasValue("of the second");
  }

  @Test
  void areReadByTheirTenantAlone() throws IOException {
    var id = run(leaving());
    var other = SecurityContext.of("eve", new TenantId(UUID.randomUUID())).build();
    var reader =
        SecurityContext.of("bob", other.tenant()).reading(List.of(CALLER.tenant())).build();

    assertThat(engine.outputs().list(other, id)).isEmpty();
    assertThat(engine.outputs().open(other, id, "report")).isEmpty();
    assertThat(engine.outputs().list(reader, id).orElseThrow()).hasSize(1);
    assertThat(engine.outputs().open(CALLER, id, "../report")).isEmpty();
    assertThat(engine.outputs().list(CALLER, new JobId(UUID.randomUUID()))).isEmpty();
  }

  @Test
  void areLimitedInSizeAndNumber() {
    var tooLarge = new AtomicReference<JobsException>();
    var tooMany = new AtomicReference<JobsException>();
    var id =
        run(
            (job, _) -> {
              tooLarge.set(refusal(() -> leave(job, "a", "x".repeat(BYTES_MOST + 1))));
              Works.ask(
                  database,
                  """
                  INSERT INTO leasehold.output
                  SELECT '%s', '%s', 'n' || n, 1, 'output-1-0', 0, '', 'a/b', now()
                  FROM generate_series(1, 1000) AS n
                  """
                      .formatted(CALLER.tenant(), job.id()));
              tooMany.set(refusal(() -> leave(job, "b", "")));
              leave(job, "n7", "in its place");
              return "done";
            });

    assertThat(ended(id)).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(tooLarge.get().code()).isEqualTo(ErrorCode.TOO_LARGE);
    assertThat(tooLarge.get().limit().orElseThrow().most()).isEqualTo(BYTES_MOST);
    assertThat(tooMany.get().code()).isEqualTo(ErrorCode.TOO_LARGE);
  }

  @Test
  void cannotHavePathsAsNames() {
    run(
        (job, _) -> {
          for (var name :
              List.of("", ".", "..", "../a", "a/b", "a\\b", ".a", "-a", "a b", "a\0", "\u00e4")) {
            assertThatThrownBy(() -> leave(job, name, "")).isInstanceOf(RuntimeException.class);
          }
          assertThatThrownBy(() -> job.output("a", "text/html\r\nX: y", out -> {}))
              .isInstanceOf(IllegalArgumentException.class);
          return "done";
        });
  }

  @Test
  void areRefusedForInMemoryJobs() {
    var refused = new AtomicReference<IllegalStateException>();
    var work =
        works.of(
            (job, _) -> {
              refused.set(
                  catchThrowableOfType(IllegalStateException.class, () -> leave(job, "a", "1")));
              return "done";
            });
    var id = engine.jobs().submit(CALLER, IN_MEMORY.request(work)).jobId();

    assertThat(ended(id)).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(refused.get()).hasMessageContaining("in memory");
    assertThat(engine.outputs().list(CALLER, id)).isEmpty();
  }

  @Test
  void areRefusedWithoutAConfiguredFolder() {
    var refused = new AtomicReference<JobsException>();
    var placeless = Handlers.type("placeless");
    try (var other =
        RunningEngine.on(
            database,
            EngineConfig.defaults(),
            new Handlers()
                .with(
                    placeless,
                    (job, _) -> {
                      refused.set(refusal(() -> leave(job, "a", "1")));
                      return "done";
                    }))) {
      var id = other.jobs().submit(CALLER, placeless.request("")).jobId();
      other.jobs().await(CALLER, id, MOST);
    }
    assertThat(refused.get().code()).isEqualTo(ErrorCode.OUTPUT_UNAVAILABLE);
  }

  @Test
  void areDeletedWithTheirJob() throws IOException {
    var id = run(leaving());
    assertThat(files(id)).hasSize(1);

    engine.jobs().delete(CALLER, id);

    assertThat(engine.outputs().list(CALLER, id)).isEmpty();
    assertThat(engine.outputs().open(CALLER, id, "report")).isEmpty();
    sweep();
    assertThat(files(id)).isEmpty();
  }

  @Test
  void areSweptWhenNoRowRefersToThem() throws IOException {
    var id =
        run(
            (job, _) -> {
              leave(job, "report", "of attempt " + job.attempt());
              leave(job, "report", "second");
              inTransaction(job, () -> leave(job, "rolled-back", "1"), true);
              if (job.attempt() < 3) {
                throw new IllegalStateException("again");
              }
              return "done";
            });
    Files.writeString(folderOf(id).resolve("foreign"), "1");
    assertThat(files(id)).hasSize(10);

    sweep();

    assertThat(files(id)).hasSize(2).contains("foreign");
    assertThat(read(id, "report")).hasValue("second");
  }

  @Test
  void areNotSweptDuringTheWrite() throws Exception {
    var half = new CountDownLatch(1);
    var go = new CountDownLatch(1);
    var id =
        submit(
            (job, _) -> {
              job.output(
                  "slow",
                  "text/plain",
                  out -> {
                    out.write("one".getBytes(UTF_8));
                    out.flush();
                    half.countDown();
                    awaitUninterrupted(go);
                    out.write(" and two".getBytes(UTF_8));
                  });
              return "done";
            });
    half.await();

    sweep();

    assertThat(files(id)).hasSize(1);
    go.countDown();
    assertThat(ended(id)).isEqualTo(JobStatus.SUCCEEDED);
    sweep();
    assertThat(read(id, "slow")).hasValue("one and two");
  }

  @Test
  void areUnavailableIfTheirFileIsMissing() throws IOException {
    var id = run(leaving());
    Files.delete(folderOf(id).resolve(files(id).getFirst()));

    assertThat(refusal(() -> engine.outputs().open(CALLER, id, "report")).code())
        .isEqualTo(ErrorCode.OUTPUT_UNAVAILABLE);
  }

  @Test
  void draftsGrowOverAttempts() throws IOException {
    var id =
        run(
            (job, _) -> {
              try (var draft = job.draft(kept(job))) {
                write(draft, "attempt %d, ".formatted(job.attempt()));
                job.checkpoint(draft.keep());
                write(draft, "not kept");
                if (job.attempt() < 3) {
                  throw new IllegalStateException("again");
                }
                draft.reset();
                return "done";
              }
            });
    assertThat(files(id)).hasSize(3);

    sweep(); // The job has succeeded, so no attempt continues the draft.
    assertThat(files(id)).isEmpty();
  }

  /** Else a server that changes its file all the time would fill the disk. */
  @Test
  void draftsThatStartAgainTakeNoMoreSpace() throws Exception {
    var seen = new CopyOnWriteArrayList<List<String>>();
    run(
        (job, _) -> {
          try (var draft = job.draft(kept(job))) {
            for (var i = 0; i < 5; i++) {
              write(draft, "once more");
              var kept = draft.keep();
              job.checkpoint(kept);
              draft.reset();
              job.checkpoint(kept); // A later attempt may go on from it.
              seen.add(files(job.id()));
            }
            write(draft, "done");
            job.checkpoint(draft.keep());
            seen.add(files(job.id()));
            return draft.finish("report", "text/plain").name();
          }
        });

    assertThat(seen).hasSize(6).allSatisfy(files -> assertThat(files).hasSize(1));
  }

  @Test
  void areMadeFromTheirDraft() throws IOException {
    var id =
        run(
            (job, _) -> {
              try (var draft = job.draft(kept(job))) {
                write(draft, "attempt %d, ".formatted(job.attempt()));
                job.checkpoint(draft.keep());
                if (job.attempt() < 3) {
                  write(draft, "not kept");
                  throw new IllegalStateException("again");
                }
                return draft.finish("report", "text/plain").sha256();
              }
            });

    assertThat(read(id, "report")).hasValue("attempt 1, attempt 2, attempt 3, ");
    sweep();
    assertThat(read(id, "report")).hasValue("attempt 1, attempt 2, attempt 3, ");
    assertThat(files(id)).hasSize(1);
  }

  @Test
  void startEmptyIfTheirDraftIsMissing() throws IOException {
    var id =
        run(
            (job, _) -> {
              try (var draft = job.draft(kept(job))) {
                if (job.attempt() == 1) {
                  write(draft, "gone");
                  job.checkpoint(draft.keep());
                  Files.delete(folderOf(job.id()).resolve(files(job.id()).getFirst()));
                  throw new IllegalStateException("again");
                }
                write(draft, "from %d".formatted(draft.length()));
                return draft.finish("report", "text/plain").name();
              }
            });

    assertThat(read(id, "report")).hasValue("from 0");
  }

  private static JobsException refusal(ThrowingCallable call) {
    return Objects.requireNonNull(catchThrowableOfType(JobsException.class, call));
  }

  private static JobHandler<String, String> leaving() {
    return (job, _) -> leave(job, "report", "1").name();
  }

  private static OutputDraft.Kept kept(JobContext job) {
    return job.lastCheckpoint(OutputDraft.Kept.class).orElse(OutputDraft.Kept.NOTHING);
  }

  private static void write(OutputDraft draft, String text) throws IOException {
    draft.write(text.getBytes(UTF_8), 0, text.length());
  }

  private static JobOutput leave(JobContext job, String name, String text) {
    try {
      return job.output(name, "text/plain", out -> out.write(text.getBytes(UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void inTransaction(JobContext job, Runnable work, boolean fails) {
    try {
      engine
          .transactions()
          .asTenant(
              job.caller(),
              tx -> {
                work.run();
                if (fails) {
                  throw new IllegalStateException("rolled back");
                }
                return tx;
              });
    } catch (IllegalStateException e) {
      assertThat(e).hasMessage("rolled back");
    }
  }

  private static void lose(JobId id) {
    Works.ask(
        database,
        "UPDATE leasehold.lease SET locked_until = now() - interval '1 s', worker_id ="
            + " gen_random_uuid() WHERE id = '%s'".formatted(id));
  }

  /** As a handler waits that does not notice that it is interrupted. */
  private static void awaitUninterrupted(CountDownLatch latch) {
    var over = false;
    while (!over) {
      try {
        over = latch.await(MOST.toSeconds(), TimeUnit.SECONDS);
        assertThat(over).isTrue();
      } catch (InterruptedException e) {
        over = latch.getCount() == 0;
      }
    }
  }

  private static JobId submit(JobHandler<String, String> work) {
    return engine.jobs().submit(CALLER, TYPE.request(works.of(work))).jobId();
  }

  private static JobId run(JobHandler<String, String> work) {
    var id = submit(work);
    assertThat(ended(id))
        .as(engine.jobs().find(CALLER, id).toString())
        .isEqualTo(JobStatus.SUCCEEDED);
    return id;
  }

  private static JobStatus ended(JobId id) {
    return engine.jobs().await(CALLER, id, MOST).orElseThrow().status();
  }

  private static Optional<String> read(JobId id, String name) throws IOException {
    var output = engine.outputs().open(CALLER, id, name);
    if (output.isEmpty()) {
      return Optional.empty();
    }
    try (var opened = output.get()) {
      return Optional.of(new String(opened.bytes().readAllBytes(), UTF_8));
    }
  }

  private static JobOutput output(JobId id, String name) {
    return engine.outputs().list(CALLER, id).orElseThrow().stream()
        .filter(output -> output.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> names(JobId id) {
    return engine.outputs().list(CALLER, id).orElseThrow().stream().map(JobOutput::name).toList();
  }

  private static void sweep() {
    Sweeping.sweep(engine.transactions(), folder);
  }

  private static Path folderOf(JobId id) {
    return folder.resolve(CALLER.tenant().toString()).resolve(id.toString());
  }

  private static List<String> files(JobId id) throws IOException {
    if (!Files.exists(folderOf(id))) {
      return List.of();
    }
    try (var all = Files.list(folderOf(id))) {
      return all.map(it -> it.getFileName().toString()).sorted().toList();
    }
  }
}
