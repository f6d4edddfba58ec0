package io.leasehold.downloads;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.downloads.http.TooSlow;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.FakeJobContext;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What becomes of servers that send something again and again, and hold a slot by that. They drip
 * for some seconds, and a client that did not mind would wait for the end of it.
 */
class DownloadPaceTest {

  private static final int SIZE = 200_000;
  private static final Duration DRIP_EVERY = Duration.ofMillis(5);
  private static final int DRIPS = 4_000;
  private static final String OK = "HTTP/1.1 200 OK\r\nETag: \"one\"\r\n";
  private static final DownloadConfig CONFIG =
      DownloadConfig.defaults().networks("127.0.0.1/32").keepEvery(10_000);

  /** Has a head within a second, and does not mind how fast a body is. */
  private static final DownloadConfig QUICK_HEAD = CONFIG.headTimeout(Duration.ofSeconds(1));

  /** Has a megabyte a second, measured over a second. */
  private static final DownloadConfig QUICK_BODY =
      CONFIG.readTimeout(Duration.ofSeconds(1)).leastRate(1_000_000);

  private final byte[] file = new byte[SIZE];
  private final CountDownLatch over = new CountDownLatch(1);
  private final FakeJobContext job =
      FakeJobContext.of(
          SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build(), DownloadHandler.TYPE);
  private FileServer server;

  @BeforeEach
  void start() throws IOException {
    new Random(1).nextBytes(file);
    server = FileServer.of(file);
  }

  @AfterEach
  void stop() throws IOException {
    over.countDown();
    server.close();
  }

  /** Sends a text once, and then another one again and again, each time a little later. */
  private FileServer.Answer drip(String first, String drop) {
    return (_, out) -> {
      send(out, first);
      for (var i = 0; i < DRIPS && !over.await(DRIP_EVERY.toMillis(), TimeUnit.MILLISECONDS); i++) {
        send(out, drop);
      }
    };
  }

  private static void send(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(ISO_8859_1));
    out.flush();
  }

  private Downloaded run(DownloadConfig config) throws IOException {
    return new DownloadHandler(config).run(job, Download.of(server.url(), "file.bin"));
  }

  private static String redirect(URI to) {
    return "HTTP/1.1 302 Found\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n".formatted(to);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "HTTP/1.1 200 OK\r\nX: ", "HTTP/1.1 100 Continue\r\nX: "})
  void headSentByteByByteTimesOut(String first) {
    server.answer(drip(first, "x"));

    assertThatThrownBy(() -> run(QUICK_HEAD))
        .isInstanceOf(TooSlow.class)
        .hasMessage("the server has not sent a head within PT1S");
  }

  @Test
  void headSentByteByByteAfterARedirectTimesOut() {
    server.answer(redirect(server.url()));
    server.answer(drip(OK + "X: ", "x"));

    assertThatThrownBy(() -> run(QUICK_HEAD)).isInstanceOf(TooSlow.class);
    assertThat(server.requests()).hasSize(2);
  }

  /** Each byte of a TLS record would restart the read timeout, below what TLS reports. */
  @Test
  void handshakeSentByteByByteTimesOut() throws IOException {
    var record = new byte[] {0x16, 0x03, 0x03, 0x40, 0x00, 0x02, 0x00, 0x3f, (byte) 0xfc};
    try (var socket = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"))) {
      Thread.ofVirtual().start(() -> dripOnce(socket, new String(record, ISO_8859_1)));
      var url = URI.create("https://127.0.0.1:%d/".formatted(socket.getLocalPort()));
      var handler =
          new DownloadHandler(
              QUICK_HEAD,
              InetAddress::getAllByName,
              (SSLSocketFactory) SSLSocketFactory.getDefault());

      assertThatThrownBy(() -> handler.run(job, Download.of(url, "file.bin")))
          .isInstanceOf(IOException.class)
          .satisfies(
              failure ->
                  assertThat(failure.getSuppressed()).singleElement().isInstanceOf(TooSlow.class));
    }
  }

  private void dripOnce(ServerSocket server, String first) {
    try (var client = server.accept()) {
      drip(first, "x").give(new FileServer.Request("", Map.of()), client.getOutputStream());
    } catch (IOException e) {
      return; // The client went away.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 200000\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n30d40\r\n",
        "Transfer-Encoding: chunked\r\n\r\n3;name=",
        "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nTrailer: "
      })
  void bodySentByteByByteFailsTheAttempt(String head) {
    server.answer(drip(OK + head, "x"));

    assertThatThrownBy(() -> run(QUICK_BODY))
        .isInstanceOf(TooSlow.class)
        .hasMessage("the server sends less than 1000000 bytes a second");
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void bytesThatArrivedTooSlowlyAreKeptForTheNextAttempt() throws IOException {
    server.answer(
        (request, out) -> {
          server.send(request, out, 70_000);
          drip("", "x").give(request, out);
        });
    assertThatThrownBy(() -> run(QUICK_BODY)).isInstanceOf(TooSlow.class);

    job.nextAttempt();
    server.serve(Arrays.copyOf(file, SIZE), "ETag: \"one\"");
    run(CONFIG);

    assertThat(server.requests().getLast().from()).isGreaterThanOrEqualTo(70_000);
  }

  /** It would be asked a hundred times within an attempt. */
  @Test
  void serverThatCutsOffAfterEachByteIsGivenUpSoon() {
    for (var i = 0; i < 100; i++) {
      var place = i + 1;
      server.answer(
          (request, out) -> {
            over.await(50, TimeUnit.MILLISECONDS);
            server.send(request, out, place);
          });
    }
    var config =
        CONFIG
            .headTimeout(Duration.ofMillis(500))
            .readTimeout(Duration.ofMillis(500))
            .leastRate(10_000);

    assertThatThrownBy(() -> run(config))
        .isInstanceOf(TooSlow.class)
        .hasMessage("127.0.0.1 sends less than 10000 bytes a second");
    assertThat(server.requests()).hasSizeLessThan(60);
  }

  @Test
  void slowServerThatKeepsThePaceIsAwaited() throws IOException {
    server.answer(
        (_, out) -> {
          send(out, OK + "Content-Length: %d\r\n\r\n".formatted(SIZE));
          for (var from = 0; from < SIZE; from += 2_000) {
            out.write(file, from, 2_000);
            out.flush();
            over.await(20, TimeUnit.MILLISECONDS);
          }
        });

    run(
        CONFIG
            .headTimeout(Duration.ofSeconds(5))
            .readTimeout(Duration.ofMillis(900))
            .leastRate(50));

    assertThat(job.bytesOf("file.bin")).isEqualTo(file);
    assertThat(server.requests()).hasSize(1);
  }
}
