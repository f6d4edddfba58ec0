package io.leasehold.rest.auth;

import static io.leasehold.rest.stack.RestStack.ACME;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.sun.net.httpserver.HttpServer;
import io.leasehold.rest.problem.RequestRefusal;
import io.leasehold.rest.stack.RestStack;
import io.leasehold.rest.stack.TestIssuer;
import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class IssuerKeysTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  @TempDir private Path folder;

  private final AtomicInteger fetched = new AtomicInteger();
  private final AtomicLong clock = new AtomicLong();

  /** How many fetches are answered. */
  private final Semaphore answers = new Semaphore(100);

  private HttpServer server;
  private volatile JWKSet published;

  @BeforeEach
  void serve() throws IOException, JOSEException {
    published = new JWKSet(key("key"));
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5);
    server.createContext(
        "/jwks",
        exchange -> {
          fetched.incrementAndGet();
          answers.acquireUninterruptibly();
          var bytes = published.toString(true).getBytes(UTF_8);
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    answers.release(100);
    server.stop(0);
  }

  @Test
  void areReadAgainWhenTheirFileChanges() throws JOSEException {
    try (var stack = RestStack.on(database)) {
      var issuer = stack.issuer();
      var rotated = new ECKeyGenerator(Curve.P_256).keyID("rotated").generate();
      var token =
          TestIssuer.signed(issuer.header().keyID("rotated").build(), issuer.claims(ACME), rotated);
      assertThat(stack.client(ACME).get("/api/v1/jobs").status()).isEqualTo(200);
      assertThat(stack.client().token(token).get("/api/v1/jobs").status()).isEqualTo(401);

      issuer.publish(rotated);

      assertThat(stack.client().token(token).get("/api/v1/jobs").status()).isEqualTo(200);
      assertThat(stack.client(ACME).get("/api/v1/jobs").status()).isEqualTo(401);
    }
  }

  @Test
  void areFetchedOnceForManyUnknownNames() {
    var keys = keys();

    assertThat(find(keys, "key")).hasSize(1);
    for (var i = 0; i < 100; i++) {
      assertThat(find(keys, "unknown " + i)).isEmpty();
    }

    assertThat(fetched).hasValue(1);
  }

  @Test
  void areFetchedAgainForANewName() throws JOSEException {
    var keys = keys();
    assertThat(find(keys, "key")).hasSize(1);

    published = new JWKSet(key("rotated"));
    advance(Duration.ofSeconds(31));

    assertThat(find(keys, "rotated")).hasSize(1);
    assertThat(find(keys, "key")).isEmpty();
    assertThat(fetched).hasValue(2);
  }

  @Test
  void areFetchedAgainByOneThreadHoweverManyFindThatTheyAreOld() {
    var keys = keys();
    assertThat(find(keys, "key")).hasSize(1);
    answers.drainPermits();
    advance(Duration.ofMinutes(11));

    for (var i = 0; i < 100; i++) {
      assertThat(find(keys, "key")).hasSize(1); // None waits for the answer.
    }

    await().until(() -> fetched.get() == 2);
  }

  @Test
  void stayValidForADayWhileTheirIssuerIsAway() {
    var keys = keys();
    assertThat(find(keys, "key")).hasSize(1);
    server.stop(0);

    advance(Duration.ofHours(23));
    assertThat(find(keys, "key")).hasSize(1);
    assertThat(find(keys, "unknown")).isEmpty();

    advance(Duration.ofHours(2));
    assertThatThrownBy(() -> find(keys, "key")).isInstanceOf(RequestRefusal.class);
  }

  @Test
  void areNotThereWhileTheirIssuerIsSilent() throws IOException {
    try (var silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      var keys = IssuerKeys.at(uri(silent.getLocalPort()));
      var begun = System.nanoTime();

      assertThatThrownBy(() -> find(keys, "key")).isInstanceOf(RequestRefusal.class);
      assertThatThrownBy(() -> find(keys, "key")).isInstanceOf(RequestRefusal.class);

      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
    }
  }

  @Test
  void areUsedForSignaturesOnly() throws IOException, JOSEException {
    var keys =
        inFile(
            new JWKSet(
                    List.of(
                        key("good"),
                        new ECKey.Builder(key("encrypts")).keyUse(KeyUse.ENCRYPTION).build(),
                        new ECKeyGenerator(Curve.P_384).keyID("other curve").generate(),
                        new OctetSequenceKey.Builder(new byte[32]).keyID("secret").build(),
                        new RSAKeyGenerator(1_024, true).keyID("small").generate()))
                .toString(false));

    assertThat(find(keys, "good")).hasSize(1).allMatch(key -> !key.isPrivate());
    assertThat(List.of("encrypts", "other curve", "secret"))
        .allSatisfy(name -> assertThat(find(keys, name)).isEmpty());
    assertThat(keys.find("small", JWSAlgorithm.RS256)).isEmpty();
  }

  @Test
  void areNotThereWhileTheirFileHasNone() throws IOException {
    var keys = inFile("nonsense");

    assertThatThrownBy(() -> find(keys, "key")).isInstanceOf(RequestRefusal.class);
  }

  private IssuerKeys keys() {
    return IssuerKeys.at(uri(server.getAddress().getPort()), clock::get);
  }

  private IssuerKeys inFile(String text) throws IOException {
    return IssuerKeys.at(Files.writeString(folder.resolve("jwks.json"), text).toUri());
  }

  private static List<JWK> find(IssuerKeys keys, String name) {
    return keys.find(name, JWSAlgorithm.ES256);
  }

  private void advance(Duration time) {
    clock.addAndGet(time.toMillis());
  }

  private static ECKey key(String name) throws JOSEException {
    return new ECKeyGenerator(Curve.P_256).keyID(name).generate();
  }

  private static URI uri(int port) {
    return URI.create("http://127.0.0.1:%d/jwks".formatted(port));
  }
}
