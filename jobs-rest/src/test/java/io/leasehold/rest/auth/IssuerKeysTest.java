package io.leasehold.rest.auth;

import static io.leasehold.rest.stack.RestStack.ACME;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class IssuerKeysTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

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
  void areFetchedOnceForManyUnknownNames() throws IOException, JOSEException {
    var key = key();
    var fetched = new AtomicInteger();
    var server = server(new JWKSet(key).toString(true), fetched);
    try {
      var keys = new UrlKeys(uri(server.getAddress().getPort()), new FetchKeys());

      assertThat(keys.named("key")).hasSize(1);
      for (var i = 0; i < 100; i++) {
        assertThat(keys.named("unknown " + i)).isEmpty();
      }

      assertThat(fetched).hasValue(1);
    } finally {
      server.stop(0);
    }
  }

  @Test
  void oldKeysAreFetchedAgainByOneThread() throws IOException, JOSEException {
    var server = server(new JWKSet(key()).toString(true), new AtomicInteger());
    try {
      var begun = new ArrayList<Runnable>();
      var clock = new AtomicLong();
      var keys =
          new UrlKeys(uri(server.getAddress().getPort()), new FetchKeys(), begun::add, clock::get);
      assertThat(keys.named("key")).hasSize(1);
      assertThat(begun).isEmpty();
      clock.addAndGet(Duration.ofMinutes(11).toNanos());

      for (var i = 0; i < 100; i++) {
        assertThat(keys.named("key")).hasSize(1);
      }
      assertThat(begun).hasSize(1);
      server.stop(0);
      begun.removeFirst().run(); // The address is away, and the next attempt is not due yet.
      assertThat(keys.named("key")).hasSize(1);
      assertThat(begun).isEmpty();

      clock.addAndGet(Duration.ofMinutes(1).toNanos());
      assertThat(keys.named("key")).hasSize(1);
      assertThat(begun).hasSize(1);
    } finally {
      server.stop(0);
    }
  }

  @Test
  void areUnavailableWhileTheIssuerDoesNotAnswer() throws IOException {
    try (var silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      var keys = new UrlKeys(uri(silent.getLocalPort()), new FetchKeys());
      var begun = System.nanoTime();

      assertThatThrownBy(() -> keys.named("key")).isInstanceOf(RequestRefusal.class);
      assertThatThrownBy(() -> keys.named("key")).isInstanceOf(RequestRefusal.class);

      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
    }
  }

  @Test
  void areUsedForSignaturesOnly() throws JOSEException {
    var keys = KeySet.parse(new JWKSet(List.of(key())).toString(false)).orElseThrow();

    assertThat(keys.named("key")).allMatch(key -> !key.isPrivate());
    assertThat(KeySet.parse("{\"keys\":[{\"kty\":\"oct\",\"kid\":\"key\",\"k\":\"AAAA\"}]}"))
        .hasValueSatisfying(parsed -> assertThat(parsed.named("key")).isEmpty());
    assertThat(KeySet.parse("nonsense")).isEmpty();
  }

  private static ECKey key() throws JOSEException {
    return new ECKeyGenerator(Curve.P_256).keyID("key").generate();
  }

  private static HttpServer server(String jwks, AtomicInteger fetched) throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5);
    server.createContext(
        "/jwks",
        exchange -> {
          fetched.incrementAndGet();
          var bytes = jwks.getBytes(UTF_8);
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    return server;
  }

  private static URI uri(int port) {
    return URI.create("http://127.0.0.1:%d/jwks".formatted(port));
  }
}
