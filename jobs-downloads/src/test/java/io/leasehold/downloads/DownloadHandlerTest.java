package io.leasehold.downloads;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.leasehold.jobs.PermanentFailure;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.FakeJobContext;
import io.leasehold.testkit.FakeJobContext.Told;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One attempt, or some, at a download, from servers that do what servers do. */
class DownloadHandlerTest {

  private static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();
  private static final int SIZE = 300_000;
  private static final DownloadConfig CONFIG =
      DownloadConfig.defaults()
          .networks("127.0.0.1/32")
          .keepEvery(10_000)
          .readTimeout(Duration.ofSeconds(30));

  private final byte[] file = bytes(1);
  private final FakeJobContext job = FakeJobContext.of(CALLER, DownloadHandler.TYPE);
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
  void leavesTheFileAsAnOutput() throws IOException {
    var downloaded = run();

    assertThat(downloaded.size()).isEqualTo(SIZE);
    assertThat(job.bytesOf("file.bin")).isEqualTo(file);
    assertThat(job.lastProgress().orElseThrow().percent()).isEqualTo((short) 100);
    assertThat(server.requests())
        .singleElement()
        .satisfies(
            request -> {
              assertThat(request.line())
                  .isEqualTo("GET /secret-path/file?key=secret-query HTTP/1.1");
              assertThat(request.headers())
                  .containsEntry("host", "127.0.0.1:" + server.port())
                  .containsEntry("accept-encoding", "identity")
                  .doesNotContainKeys("range", "authorization");
            });
  }

  @Test
  void acceptsAnEmptyFile() throws IOException {
    server.serve(new byte[0], "ETag: \"none\"");

    assertThat(run().size()).isZero();
    assertThat(job.bytesOf("file.bin")).isEmpty();
  }

  @Test
  void resumesWhereItWasCutOff() throws IOException {
    server.cutAt(70_000);
    server.cutAt(70_001);
    server.cutAt(250_000);

    run();

    assertThat(job.bytesOf("file.bin")).isEqualTo(file);
    assertThat(server.requests())
        .extracting(FileServer.Request::from)
        .containsExactly(0L, 70_000L, 70_001L, 250_000L);
    assertThat(server.mostSent(SIZE)).isEqualTo(1);
    assertThat(kinds())
        .containsExactly(
            "download_started", "download_resumed", "download_resumed", "download_resumed");
  }

  @Test
  void leavesTheRestToARetryAfterASecondCut() throws IOException {
    server.cutAt(70_000);
    server.cutAt(70_000);

    assertThatThrownBy(this::run).isInstanceOf(IOException.class);

    job.nextAttempt();
    run();
    assertThat(job.bytesOf("file.bin")).isEqualTo(file);
    assertThat(server.mostSent(SIZE)).isEqualTo(1);
  }

  @Test
  void resumesByTheModificationTime() throws IOException {
    server.serve(
        file,
        "Date: Thu, 19 Nov 2026 12:00:00 GMT",
        "Last-Modified: Thu, 19 Nov 2026 11:00:00 GMT");
    server.cutAt(70_000);

    run();

    assertThat(job.bytesOf("file.bin")).isEqualTo(file);
    assertThat(server.requests().getLast().headers())
        .containsEntry("if-range", "Thu, 19 Nov 2026 11:00:00 GMT");
    assertThat(server.mostSent(SIZE)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X: y",
        "ETag: W/\"weak\"",
        "ETag: \"in\rX: jected\"",
        "Last-Modified: Thu, 19 Nov 2026 11:00:00 GMT",
        "Last-Modified: yesterday\r\nDate: today",
        "Last-Modified: Thu, 19 Nov 2026 11:00:00 GMT\r\nDate: Thu, 19 Nov 2026 11:00:01 GMT"
      })
  void startsOverWithoutAnEtagOrModificationTime(String header) throws IOException {
    server.serve(file, header);
    server.cutAt(70_000);

    run();

    assertThat(job.bytesOf("file.bin")).isEqualTo(file);
    assertThat(server.requests()).extracting(FileServer.Request::from).containsExactly(0L, 0L);
  }

  @Test
  void startsOverWhenTheFileChanged() throws IOException {
    var other = bytes(2);
    server.answer(
        (request, out) -> {
          server.send(request, out, 70_000);
          server.serve(other, "ETag: \"two\"");
        });

    run();

    assertThat(job.bytesOf("file.bin")).isEqualTo(other);
    assertThat(kinds())
        .containsExactly("download_started", "download_restarted", "download_started");
  }

  @Test
  void startsOverWhenTheFileChangedAndTheServerIgnoresIfRange() throws IOException {
    var other = bytes(2);
    server.answer(
        (request, out) -> {
          server.send(request, out, 70_000);
          server.serve(other, "ETag: \"two\"");
        });
    server.answer(
        (_, out) -> {
          var head =
              """
              HTTP/1.1 206 Partial Content\r
              ETag: "two"\r
              Content-Range: bytes 70000-299999/300000\r
              Content-Length: 230000\r
              \r
              """;
          out.write(head.getBytes(ISO_8859_1));
          out.write(other, 70_000, SIZE - 70_000);
        });

    run();

    assertThat(job.bytesOf("file.bin")).isEqualTo(other);
  }

  /** It asks for the rest of what it has by the time of the last change; that is not looked at. */
  @Test
  void startsOverWhenTheModificationTimeChanged() throws IOException {
    var other = bytes(2);
    server.serve(
        file,
        "Date: Thu, 19 Nov 2026 12:00:00 GMT",
        "Last-Modified: Thu, 19 Nov 2026 11:00:00 GMT");
    server.answer(
        (request, out) -> {
          server.send(request, out, 70_000);
          server.serve(other, "ETag: \"two\"");
        });
    server.answer(
        (_, out) -> {
          var head =
              """
              HTTP/1.1 206 Partial Content\r
              Last-Modified: Thu, 19 Nov 2026 12:00:00 GMT\r
              Content-Range: bytes 70000-299999/300000\r
              Content-Length: 230000\r
              \r
              """;
          out.write(head.getBytes(ISO_8859_1));
          out.write(other, 70_000, SIZE - 70_000);
        });

    run();

    assertThat(job.bytesOf("file.bin")).isEqualTo(other);
  }

  @Test
  void refusesCompressedContent() throws IOException {
    server.serve(file, "Content-Encoding: gzip");

    assertThatThrownBy(this::run)
        .isInstanceOf(PermanentFailure.class)
        .hasMessage("127.0.0.1 sends the file compressed, or otherwise coded");

    server.serve(file, "Content-Encoding: identity");
    assertThat(run().size()).isEqualTo(SIZE);
  }

  @Test
  void resumesANewVersionThatIsCutOffEarlier() throws IOException {
    var other = bytes(2);
    server.answer(
        (request, out) -> {
          server.send(request, out, 70_000);
          server.serve(other, "ETag: \"two\"");
        });
    server.cutAt(50_000);

    run();

    assertThat(job.bytesOf("file.bin")).isEqualTo(other);
    assertThat(server.requests())
        .extracting(FileServer.Request::from)
        .containsExactly(0L, 70_000L, 50_000L);
  }

  @Test
  void refusesAPartFromAnotherOffset() {
    server.cutAt(70_000);
    server.answer(
        "HTTP/1.1 206 Partial Content",
        "ETag: \"one\"",
        "Content-Range: bytes 70001-299999/300000",
        "Content-Length: 229999",
        "",
        "not what was asked for");

    assertThatThrownBy(this::run)
        .isInstanceOf(PermanentFailure.class)
        .hasMessage("127.0.0.1 sends another part than was asked for");
  }

  @Test
  void ignoresBytesBeyondTheEndOfTheFile() throws IOException {
    server.cutAt(70_000);
    server.answer(
        (_, out) -> {
          var head =
              """
              HTTP/1.1 206 Partial Content\r
              ETag: "one"\r
              Content-Range: bytes 70000-299999/300000\r
              Content-Length: 230001\r
              \r
              """;
          out.write(head.getBytes(ISO_8859_1));
          out.write(bytes(2), 0, 230_001);
        });

    run();

    assertThat(job.bytesOf("file.bin")).hasSize(SIZE);
    assertThat(server.requests()).hasSize(3);
    assertThat(server.requests().getLast().from()).isBetween(70_000L, (long) SIZE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"bytes 70000-99999/*", "bytes 70000-99999/100000"})
  void startsOverIfAPartHasAnotherTotalSizeOrNone(String range) throws IOException {
    server.cutAt(70_000);
    server.answer(
        "HTTP/1.1 206 Partial Content",
        "ETag: \"one\"",
        "Content-Range: " + range,
        "Content-Length: 30000",
        "",
        "of some other");

    run();

    assertThat(job.bytesOf("file.bin")).isEqualTo(file);
  }

  @Test
  void startsOverIfTheServerDoesNotSupportRanges() throws IOException {
    server.givesNoParts();
    server.cutAt(70_000);

    run();

    assertThat(job.bytesOf("file.bin")).isEqualTo(file);
  }

  @Test
  void readsChunks() throws IOException {
    server.answer(
        (_, out) -> {
          out.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".getBytes(ISO_8859_1));
          chunk(out, Arrays.copyOfRange(file, 0, 100_000), ";name=value");
          chunk(out, Arrays.copyOfRange(file, 100_000, SIZE), "");
          out.write("0\r\nTrailer: of no use\r\n\r\n".getBytes(ISO_8859_1));
        });

    run();

    assertThat(job.bytesOf("file.bin")).isEqualTo(file);
  }

  @Test
  void distinguishesACutFromTheLastChunk() throws IOException {
    server.answer(
        (_, out) -> {
          out.write("HTTP/1.1 200 OK\r\n".getBytes(ISO_8859_1));
          out.write("ETag: \"one\"\r\nTransfer-Encoding: chunked\r\n\r\n".getBytes(ISO_8859_1));
          chunk(out, Arrays.copyOfRange(file, 0, 100_000), "");
        });

    run();

    assertThat(job.bytesOf("file.bin")).isEqualTo(file);
    assertThat(server.requests().getLast().from()).isEqualTo(100_000);
  }

  @Test
  void followsRedirects() throws IOException {
    server.answer("HTTP/1.1 302 Found", "Location: /elsewhere", "Content-Length: 0", "", "");
    server.cutAt(70_000);
    server.answer("HTTP/1.1 307 Here", "Location: /there?x=y", "Content-Length: 0", "", "");
    server.answer("HTTP/1.1 302 Found", "Location: ?and=so-on", "Content-Length: 0", "", "");

    run();

    assertThat(job.bytesOf("file.bin")).isEqualTo(file);
    assertThat(server.requests())
        .extracting(FileServer.Request::line)
        .containsExactly(
            "GET /secret-path/file?key=secret-query HTTP/1.1",
            "GET /elsewhere HTTP/1.1",
            "GET /secret-path/file?key=secret-query HTTP/1.1",
            "GET /there?x=y HTTP/1.1",
            "GET /there?and=so-on HTTP/1.1");
    assertThat(server.requests().getLast().from()).isEqualTo(70_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://127.0.0.2/secret",
        "http://10.0.0.1/secret",
        "http://169.254.169.254/latest/meta-data/secret",
        "http://[::1]/secret",
        "http://[::ffff:127.0.0.2]/secret",
        "http://[fd00:ec2::254]/secret",
        "http://ann:secret@127.0.0.1/",
        "ftp://127.0.0.1/secret",
        "file:///etc/secret",
        "http:///secret",
        "http://127.0.0.1:99999/secret",
        "::secret"
      })
  void refusesRedirectsToForbiddenAddresses(String location) {
    server.answer("HTTP/1.1 301 Moved", "Location: " + location, "Content-Length: 0", "", "");

    assertThat(catchThrowable(this::run))
        .isInstanceOf(PermanentFailure.class)
        .message()
        .doesNotContain("secret");
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void limitsTheNumberOfRedirects() {
    for (var i = 0; i < 20; i++) {
      server.answer("HTTP/1.1 302 Found", "Location: /" + i, "Content-Length: 0", "", "");
    }

    assertThatThrownBy(this::run)
        .isInstanceOf(PermanentFailure.class)
        .hasMessage("127.0.0.1 redirects more than 5 times");
  }

  /** Who looked a name up twice would come to the second address. */
  @Test
  void connectsToTheAddressThatItChecked() throws IOException {
    var asked = new CopyOnWriteArrayList<String>();
    var handler =
        new DownloadHandler(
            CONFIG,
            name -> {
              asked.add(name);
              var address = asked.size() == 1 ? "127.0.0.1" : "127.0.0.2";
              return new InetAddress[] {
                InetAddress.getByAddress(name, InetAddress.ofLiteral(address).getAddress())
              };
            },
            (SSLSocketFactory) SSLSocketFactory.getDefault());

    handler.run(job, Download.of(server.url("rebound.test"), "file.bin"));

    assertThat(asked).containsExactly("rebound.test");
    assertThat(job.bytesOf("file.bin")).isEqualTo(file);
    assertThat(server.requests().getFirst().headers())
        .containsEntry("host", "rebound.test:" + server.port());
  }

  /** Each of them is this machine, as some or other resolver has it. */
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.1", "2130706433", "[::ffff:127.0.0.1]", "localhost"})
  void refusesForbiddenAddresses(String host) {
    var handler = new DownloadHandler(DownloadConfig.defaults());

    assertThatThrownBy(() -> handler.run(job, Download.of(server.url(host), "file.bin")))
        .isInstanceOfAny(PermanentFailure.class, IOException.class, IllegalArgumentException.class);
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void refusesAFileThatIsTooLarge() {
    var small = CONFIG.bytesMost(SIZE - 1);

    assertThatThrownBy(() -> run(small))
        .isInstanceOf(PermanentFailure.class)
        .hasMessage("the file at 127.0.0.1 has more than 299999 bytes");
    assertThat(job.outputs()).isEmpty();
  }

  @Test
  void stopsWhenTheFileTurnsOutTooLarge() {
    server.answer(
        (_, out) -> {
          out.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".getBytes(ISO_8859_1));
          while (true) {
            chunk(out, file, "");
          }
        });

    assertThatThrownBy(() -> run(CONFIG.bytesMost(SIZE * 2L)))
        .isInstanceOf(PermanentFailure.class)
        .hasMessageContaining("more than 600000 bytes");
  }

  @Test
  void refusesAFileWithAnotherDigest() {
    var download = download().sha256("0".repeat(64));

    assertThatThrownBy(() -> handler(CONFIG).run(job, download))
        .isInstanceOf(PermanentFailure.class)
        .hasMessageContaining("digest");
    assertThat(job.outputs()).isEmpty();
    assertThat(job.lastCheckpoint(Position.class)).hasValue(Position.BEGIN);
  }

  @Test
  void acceptsAFileWithTheExpectedDigest() throws IOException {
    var sha256 = run().sha256();

    assertThat(handler(CONFIG).run(job, download().sha256(sha256)).sha256()).isEqualTo(sha256);
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 410, 416})
  void failsForGoodIfTheFileDoesNotExist(int status) {
    server.answer("HTTP/1.1 %d No".formatted(status), "Content-Length: 0", "", "");

    assertThatThrownBy(this::run)
        .isInstanceOf(PermanentFailure.class)
        .hasMessage("127.0.0.1 answers with " + status);
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 429, 500, 502, 503, 504})
  void retriesAfterATemporaryError(int status) {
    server.answer("HTTP/1.1 %d Later".formatted(status), "Content-Length: 0", "", "");

    assertThatThrownBy(this::run)
        .isInstanceOf(IOException.class)
        .hasMessage("127.0.0.1 answers with " + status);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nonsense",
        "HTTP/2 200",
        "HTTP/1.1 200 OK\r\n : x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1, 2\r\n\r\n",
        "HTTP/1.1 200 OK\r\n\r\nto the end",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
        "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 5-9/10\r\nContent-Length: 5\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\n"
      })
  void failsOnAnInvalidAnswer(String text) {
    server.answer(text);

    assertThat(catchThrowable(this::run))
        .isInstanceOfAny(IOException.class, PermanentFailure.class);
    assertThat(job.outputs()).isEmpty();
  }

  @Test
  void limitsTheSizeOfHeaders() {
    server.answer(
        (_, out) -> {
          out.write("HTTP/1.1 200 OK\r\n".getBytes(ISO_8859_1));
          while (true) {
            out.write("X: %s\r\n".formatted("y".repeat(1_000)).getBytes(ISO_8859_1));
          }
        });

    assertThatThrownBy(this::run).hasMessageContaining("more headers than are read");
  }

  @Test
  void limitsTheWaitForAServer() {
    var gone = new CountDownLatch(1);
    server.answer(
        (_, out) -> {
          out.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n".getBytes(ISO_8859_1));
          out.flush();
          gone.await();
        });

    assertThatThrownBy(() -> run(CONFIG.readTimeout(Duration.ofMillis(50))))
        .isInstanceOf(IOException.class);
    gone.countDown();
  }

  @Test
  void stopsWhenItsJobIsCancelled() {
    job.cancel();

    assertThatThrownBy(this::run).isInstanceOf(CancellationException.class);
  }

  @Test
  void keepsPathAndQueryOutOfMessagesAndEvents() throws IOException {
    server.cutAt(70_000);
    server.answer("HTTP/1.1 503 Later", "Content-Length: 0", "", "");
    var failure = catchThrowable(this::run);
    job.nextAttempt();
    server.serve(bytes(2), "ETag: \"two\"");
    run();

    assertThat(failure).hasMessage("127.0.0.1 answers with 503");
    assertThat(job.told().toString() + job.lastProgress() + download()).doesNotContain("secret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ftp://host/secret",
        "file:///secret",
        "/secret",
        "mailto:secret@host",
        "http://ann@host/secret",
        "http://ann:secret@host/",
        "http:///secret",
        "http://host:0/secret",
        "http://host:65536/secret",
        "http://under_score/secret"
      })
  void refusesInvalidAddresses(String url) {
    assertThatThrownBy(
            () -> DownloadHandler.TYPE.check().check(Download.of(URI.create(url), "file.bin")))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .doesNotContain("secret");
  }

  @Test
  void refusesInvalidNamesAndDigests() {
    var url = URI.create("https://host/");

    assertThatThrownBy(() -> DownloadHandler.TYPE.check().check(Download.of(url, "../a")))
        .hasMessageContaining("name must be");
    assertThatThrownBy(() -> DownloadHandler.TYPE.check().check(Download.of(url, "a").sha256("A")))
        .hasMessageContaining("sha256 must be");
    assertThatThrownBy(
            () -> DownloadHandler.TYPE.check().check(Download.of(url, "a").mediaType("text")))
        .hasMessageContaining("mediaType must be");
  }

  private List<String> kinds() {
    return job.told().stream().map(Told::kind).toList();
  }

  private Download download() {
    return Download.of(server.url(), "file.bin");
  }

  private Downloaded run() throws IOException {
    return run(CONFIG);
  }

  private Downloaded run(DownloadConfig config) throws IOException {
    return handler(config).run(job, download());
  }

  private static DownloadHandler handler(DownloadConfig config) {
    return new DownloadHandler(config);
  }

  private static void chunk(OutputStream out, byte[] bytes, String extension) throws IOException {
    out.write("%x%s\r\n".formatted(bytes.length, extension).getBytes(ISO_8859_1));
    out.write(bytes);
    out.write("\r\n".getBytes(ISO_8859_1));
  }

  private static byte[] bytes(long seed) {
    var bytes = new byte[SIZE];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }
}
