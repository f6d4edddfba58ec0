package io.leasehold.downloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.history.EventCursor;
import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Downloads as jobs, on real workers. */
class DownloadJobTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();
  private static final Duration MOST = Duration.ofSeconds(60);
  private static final int SIZE = 3 << 20;
  private static final int CUTS = 20;

  private final long seed = Long.getLong("leasehold.seed", new Random().nextLong());
  private final byte[] file = bytes(seed);

  @TempDir private Path outputs;

  private FileServer server;

  @BeforeEach
  void start() throws IOException {
    server = FileServer.of(file);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  @Test
  void noByteIsFetchedTwiceAfterACut() throws IOException {
    System.out.println("downloads that are cut off: seed " + seed);
    new Random(seed).ints(CUTS, 1, SIZE).sorted().distinct().forEach(server::cutAt);
    try (var worker = Worker.on(database.jdbcUrl(), outputs)) {
      var id = submit(worker);

      assertDownloaded(worker, id, file);
      assertThat(worker.jobs().find(CALLER, id).orElseThrow().attempts()).isEqualTo(1);
    }
    assertThat(server.requests()).hasSizeGreaterThan(CUTS);
    assertThat(server.mostSent(SIZE)).isEqualTo(1);
  }

  @Test
  void downloadIsResumedByAnotherProcessAfterAKill() throws Exception {
    var hold = new CountDownLatch(1);
    server.answer(
        (request, out) -> {
          server.send(request, out, SIZE / 2);
          out.flush();
          hold.await();
        });
    var killed = WorkerMain.start(database.jdbcUrl(), outputs);
    JobId id;
    try (var idle = Worker.idle(database.jdbcUrl(), outputs)) {
      id = submit(idle);
      await().atMost(MOST).until(() -> keptOf(id) > SIZE / 4);
    } finally {
      killed.destroyForcibly().onExit().join();
      hold.countDown();
    }

    var kept = keptOf(id);
    try (var worker = Worker.on(database.jdbcUrl(), outputs)) {
      assertDownloaded(worker, id, file);
      assertThat(worker.jobs().find(CALLER, id).orElseThrow().attempts()).isEqualTo(2);
    }
    assertThat(server.requests()).extracting(FileServer.Request::from).containsExactly(0L, kept);
    assertThat(server.mostSent((int) kept)).isEqualTo(1);
  }

  private static long keptOf(JobId id) throws SQLException {
    try (var connection = database.connectAsAdministrator();
        var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                """
                SELECT coalesce(sum((part->>'length')::bigint), 0)
                FROM leasehold.checkpoint, json_array_elements(value->'kept'->'parts') AS part
                WHERE id = '%s'
                """
                    .formatted(id))) {
      rows.next();
      return rows.getLong(1);
    }
  }

  @Test
  void downloadStartsOverWhenTheFileChanged() throws IOException {
    var other = bytes(seed + 1);
    server.answer(
        (request, out) -> {
          server.send(request, out, SIZE / 2);
          server.serve(other, "ETag: \"two\"");
        });
    try (var worker = Worker.on(database.jdbcUrl(), outputs)) {
      var id = submit(worker);

      assertDownloaded(worker, id, other);
      assertThat(worker.jobs().events(CALLER, id, EventCursor.BEGIN, 100).orElseThrow().events())
          .extracting(event -> event.kind())
          .contains("download_started", "download_restarted");
    }
  }

  private JobId submit(Worker worker) {
    var download = Download.of(server.url(), "file.bin");
    return worker.jobs().submit(CALLER, DownloadHandler.TYPE.request(download)).jobId();
  }

  private static void assertDownloaded(Worker worker, JobId id, byte[] file) throws IOException {
    var job = worker.jobs().await(CALLER, id, MOST).orElseThrow();
    assertThat(job.status()).as(job.toString()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(worker.jobs().result(CALLER, id, Downloaded.class).toString())
        .contains("name=file.bin, size=" + file.length);
    try (var output = worker.outputs().open(CALLER, id, "file.bin").orElseThrow()) {
      assertThat(output.bytes().readAllBytes()).isEqualTo(file);
    }
  }

  private static byte[] bytes(long seed) {
    var bytes = new byte[SIZE];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }
}
