package io.leasehold.rest.auth;

import static io.leasehold.rest.stack.RestStack.ACME;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.util.Base64;
import com.nimbusds.jose.util.Base64URL;
import io.leasehold.rest.stack.RestStack;
import io.leasehold.rest.stack.TestIssuer;
import io.leasehold.testkit.TestDatabase;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is wrong with a token, the answer is the same. */
class BadTokensTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  static RestStack stack;
  static String refused;

  @BeforeAll
  static void start() {
    stack = RestStack.on(database);
    refused = stack.client().get("/api/v1/jobs").body();
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  @Test
  void coverManyKinds() {
    assertThat(bad().count()).isGreaterThanOrEqualTo(40);
    assertThat(refused).contains("unauthenticated").doesNotContain("trace_id");
  }

  @Test
  void differFromAcceptedTokens() {
    var issuer = stack.issuer();

    assertThat(
            List.of(
                issuer.token(ACME),
                TestIssuer.signed(
                    new JWSHeader.Builder(JWSAlgorithm.RS256)
                        .type(new JOSEObjectType("application/AT+JWT"))
                        .keyID("rsa")
                        .build(),
                    issuer.claims(ACME),
                    issuer.rsa()),
                issuer.signed(with(claims -> claims.put("aud", List.of("x", TestIssuer.AUDIENCE)))),
                issuer.signed(with(claims -> claims.remove("roles")))))
        .allSatisfy(
            token ->
                assertThat(stack.client().token(token).get("/api/v1/jobs").status())
                    .isEqualTo(200));
  }

  @ParameterizedTest
  @MethodSource("bad")
  void areRefusedWithTheSameAnswer(Bad bad) {
    var client = stack.client();
    for (var header : bad.headers()) {
      client = client.header("Authorization", header);
    }

    var answer = client.get("/api/v1/jobs");

    assertThat(answer.status()).isEqualTo(401);
    assertThat(answer.body()).isEqualTo(refused);
    assertThat(answer.header("WWW-Authenticate")).isEqualTo("Bearer");
  }

  static Stream<Bad> bad() {
    return Stream.of(schemes(), forms(), headers(), signatures(), claims(), times())
        .flatMap(List::stream);
  }

  private static List<Bad> schemes() {
    var good = stack.issuer().token(ACME);
    return List.of(
        new Bad("no scheme", good),
        new Bad("another scheme", "Basic " + good),
        new Bad("nothing behind the scheme", "Bearer "),
        new Bad("two of them", List.of("Bearer " + good, "Bearer " + good)),
        new Bad("a second word", "Bearer " + good + " x"),
        new Bad("a list", "Bearer " + good + ", Bearer " + good));
  }

  private static List<Bad> forms() {
    var good = stack.issuer().token(ACME);
    var parts = good.split("\\.", -1);
    return List.of(
        bearer("one part", parts[0]),
        bearer("two parts", parts[0] + "." + parts[1]),
        bearer("five parts, as if encrypted", good + ".a.b"),
        bearer("no signature", parts[0] + "." + parts[1] + "."),
        bearer("padding", parts[0] + "=." + parts[1] + "." + parts[2]),
        bearer("no base64", parts[0] + ".a." + parts[2]),
        bearer("no JSON", parts[0] + "." + Base64URL.encode("{") + "." + parts[2]),
        bearer("an array", parts[0] + "." + Base64URL.encode("[]") + "." + parts[2]),
        bearer(
            "a name twice",
            parts[0] + "." + Base64URL.encode("{\"iss\":\"a\",\"iss\":\"b\"}") + "." + parts[2]),
        bearer("more than there may be", with(claims -> claims.put("x", "y".repeat(9_000)))));
  }

  private static List<Bad> headers() {
    var issuer = stack.issuer();
    var none = Base64URL.encode("{\"alg\":\"none\",\"typ\":\"at+jwt\",\"kid\":\"elliptic\"}");
    var parts = issuer.token(ACME).split("\\.", -1);
    return List.of(
        bearer("the algorithm none", none + "." + parts[1] + "." + parts[2]),
        header("the type JWT", header -> header.type(JOSEObjectType.JWT)),
        header("no type", header -> header.type(null)),
        header("no key", header -> header.keyID(null)),
        header("an unknown key", header -> header.keyID("unknown")),
        header("another's key", header -> header.keyID("rsa")),
        header("an address of keys", header -> header.jwkURL(URI.create("https://keys.test"))),
        header("a key of its own", header -> header.jwk(issuer.elliptic().toPublicJWK())),
        header(
            "an address of a certificate",
            header -> header.x509CertURL(URI.create("https://c.test"))),
        header(
            "a certificate of its own",
            header -> header.x509CertChain(List.of(new Base64("AAAA")))),
        header(
            "something critical",
            header -> header.criticalParams(Set.of("leap")).customParam("leap", true)),
        header("a token in it", header -> header.contentType("JWT")));
  }

  private static List<Bad> signatures() {
    var issuer = stack.issuer();
    var good = issuer.token(ACME);
    var end = good.charAt(good.length() - 10) == 'A' ? 'B' : 'A';
    return List.of(
        bearer(
            "another signature",
            good.substring(0, good.length() - 10) + end + good.substring(good.length() - 9)),
        bearer(
            "claims that were changed",
            good.replaceFirst(
                "\\.[^.]*\\.",
                "." + Base64URL.encode("{\"iss\":\"%s\"}".formatted(TestIssuer.NAME)) + ".")),
        bearer(
            "a key of the same name",
            TestIssuer.signed(issuer.header().build(), issuer.claims(ACME), stranger())),
        bearer(
            "a secret made of the public key",
            TestIssuer.signed(
                new JWSHeader.Builder(JWSAlgorithm.HS256)
                    .type(new JOSEObjectType("at+jwt"))
                    .keyID("elliptic")
                    .build(),
                issuer.claims(ACME),
                new OctetSequenceKey.Builder(
                        issuer.elliptic().toPublicJWK().toJSONString().getBytes(UTF_8))
                    .build())),
        bearer(
            "an algorithm that is not allowed",
            TestIssuer.signed(
                new JWSHeader.Builder(JWSAlgorithm.RS512)
                    .type(new JOSEObjectType("at+jwt"))
                    .keyID("rsa")
                    .build(),
                issuer.claims(ACME),
                issuer.rsa())));
  }

  private static List<Bad> claims() {
    return List.of(
        claim("no issuer", claims -> claims.remove("iss")),
        claim("an unknown issuer", claims -> claims.put("iss", "https://else.test")),
        claim("no audience", claims -> claims.remove("aud")),
        claim("another audience", claims -> claims.put("aud", List.of("else"))),
        claim("an audience that is a number", claims -> claims.put("aud", 7)),
        claim("no subject", claims -> claims.remove("sub")),
        claim("an empty subject", claims -> claims.put("sub", "")),
        claim("a subject with a NUL", claims -> claims.put("sub", "a\0b")),
        claim("a subject of two lines", claims -> claims.put("sub", "a\u0085b")),
        claim("a subject of two paragraphs", claims -> claims.put("sub", "a\u2029b")),
        claim("a subject that is shown backwards", claims -> claims.put("sub", "a\u202eb")),
        claim("no tenant", claims -> claims.remove("tenant_id")),
        claim("a tenant that is none", claims -> claims.put("tenant_id", "acme")),
        claim("two tenants", claims -> claims.put("tenant_id", List.of(ACME.toString()))),
        claim("a tenant that is shortened", claims -> claims.put("tenant_id", "0-0-0-0-a1")),
        claim("roles that are a word", claims -> claims.put("roles", RestStack.ADMIN)),
        claim("roles that are numbers", claims -> claims.put("roles", List.of(1))));
  }

  private static List<Bad> times() {
    var now = Instant.now().getEpochSecond();
    return List.of(
        claim("no end", claims -> claims.remove("exp")),
        claim("an end that is past", claims -> claims.put("exp", now - 61)),
        claim("an end that is a word", claims -> claims.put("exp", Long.toString(now + 60))),
        claim("an end beyond all years", claims -> claims.put("exp", 1e300)),
        claim("an end before it was made", claims -> claims.put("exp", now)),
        claim("no beginning", claims -> claims.remove("nbf")),
        claim("a beginning to come", claims -> claims.put("nbf", now + 120)),
        claim("made in the future", claims -> claims.put("iat", now + 120)));
  }

  private static Bad claim(String what, Consumer<Map<String, Object>> change) {
    return bearer(what, with(change));
  }

  private static Bad bearer(String what, Map<String, Object> claims) {
    return bearer(what, stack.issuer().signed(claims));
  }

  private static Bad bearer(String what, String token) {
    return new Bad(what, "Bearer " + token);
  }

  private static Bad header(String what, Consumer<JWSHeader.Builder> change) {
    var header = stack.issuer().header();
    change.accept(header);
    return bearer(
        what,
        TestIssuer.signed(header.build(), stack.issuer().claims(ACME), stack.issuer().elliptic()));
  }

  private static Map<String, Object> with(Consumer<Map<String, Object>> change) {
    var claims = stack.issuer().claims(ACME);
    change.accept(claims);
    return claims;
  }

  private static JWK stranger() {
    try {
      return new ECKeyGenerator(Curve.P_256).keyID("elliptic").generate();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A token, or several, with what is wrong. */
  record Bad(String what, List<String> headers) {

    Bad(String what, String header) {
      this(what, List.of(header));
    }

    @Override
    public String toString() {
      return what;
    }
  }
}
