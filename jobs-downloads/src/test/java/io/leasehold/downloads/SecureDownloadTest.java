package io.leasehold.downloads;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.jobs.PermanentFailure;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.FakeJobContext;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.UUID;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Downloads from a server whose certificate is for one name. */
class SecureDownloadTest {

  private static final char[] PASSWORD = "sesame".toCharArray();
  private static final byte[] FILE = "a file".getBytes(UTF_8);

  @TempDir static Path folder;

  private static SSLContext tls;
  private static FileServer server;

  private final FakeJobContext job =
      FakeJobContext.of(
          SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build(), DownloadHandler.TYPE);

  @BeforeAll
  static void start() throws Exception {
    tls = context(keys());
    var socket =
        tls.getServerSocketFactory().createServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
    server = FileServer.secure(socket, FILE);
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  @Test
  void serverWithACertificateForItsNameIsAccepted() throws IOException {
    run("files.test");

    assertThat(job.bytesOf("file")).isEqualTo(FILE);
    assertThat(server.requests().getLast().headers())
        .containsEntry("host", "files.test:" + server.port());
  }

  @Test
  void serverWithACertificateForAnotherNameIsRefused() {
    assertThatThrownBy(() -> run("other.test")).isInstanceOf(IOException.class);
  }

  @Test
  void serverWithAnUntrustedCertificateIsRefused() {
    var handler = new DownloadHandler(config());

    assertThatThrownBy(() -> handler.run(job, Download.of(server.url("127.0.0.1"), "file")))
        .isInstanceOf(IOException.class);
  }

  @Test
  void redirectToAnAddressWithoutTlsIsRefused() {
    server.answer(
        "HTTP/1.1 302 Found",
        "Location: http://files.test:%d/secret".formatted(server.port()),
        "Content-Length: 0",
        "",
        "");

    assertThatThrownBy(() -> run("files.test"))
        .isInstanceOf(PermanentFailure.class)
        .hasMessage("files.test redirects to what cannot be asked");
  }

  private void run(String host) throws IOException {
    var handler =
        new DownloadHandler(
            config(),
            name ->
                new InetAddress[] {
                  InetAddress.getByAddress(name, InetAddress.ofLiteral("127.0.0.1").getAddress())
                },
            tls.getSocketFactory());
    handler.run(job, Download.of(server.url(host), "file"));
  }

  private static DownloadConfig config() {
    return DownloadConfig.defaults().networks("127.0.0.1/32");
  }

  private static KeyStore keys() throws Exception {
    var file = folder.resolve("keys.p12");
    var made =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=files.test",
                "-ext",
                "SAN=dns:files.test",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                new String(PASSWORD))
            .redirectErrorStream(true)
            .start();
    var said = new String(made.getInputStream().readAllBytes(), UTF_8);
    assertThat(made.waitFor()).as(said).isZero();
    var keys = KeyStore.getInstance("PKCS12");
    try (var in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD);
    }
    return keys;
  }

  private static SSLContext context(KeyStore keys) throws GeneralSecurityException {
    var own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, PASSWORD);
    var trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(keys);
    var context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
    return context;
  }
}
