package io.leasehold.rest.issuer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.SignedJWT;
import io.leasehold.jobs.TenantId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DevelopmentIssuerTest {

  private static final Instant NOW = Instant.parse("2026-11-19T08:00:00Z");
  private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);
  private static final TenantId TENANT = new TenantId(new UUID(1, 2));

  @TempDir private Path folder;

  @Test
  void makesTokensThatItsPublicKeyVerifies() throws Exception {
    var issuer = DevelopmentIssuer.in(folder, CLOCK);

    var token =
        SignedJWT.parse(
            issuer.token(
                new TokenRequest(TENANT, "ann", List.of("jobs.admin"), Duration.ofHours(1))));

    assertThat(token.verify(new ECDSAVerifier(publicKey(issuer, token)))).isTrue();
    assertThat(token.getHeader().getType()).hasToString("at+jwt");
    assertThat(token.getHeader().getAlgorithm()).hasToString("ES256");
  }

  @Test
  void folderBecomesPrivateToItsOwner() throws Exception {
    var made = folder.resolve("development-issuer");
    Files.createDirectory(made);
    Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxrwxrwx"));

    DevelopmentIssuer.in(folder, CLOCK);

    assertThat(Files.getPosixFilePermissions(made))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
  }

  @Test
  void tokensNameTheCaller() throws Exception {
    var issuer = DevelopmentIssuer.in(folder, CLOCK);

    var claims =
        SignedJWT.parse(
                issuer.token(
                    new TokenRequest(TENANT, "ann", List.of("jobs.admin"), Duration.ofHours(1))))
            .getJWTClaimsSet();

    assertThat(claims.getSubject()).isEqualTo("ann");
    assertThat(claims.getStringClaim("tenant_id")).isEqualTo(TENANT.toString());
    assertThat(claims.getStringListClaim("roles")).containsExactly("jobs.admin");
    assertThat(claims.getIssuer()).isEqualTo(issuer.trusted().issuer());
    assertThat(claims.getAudience()).containsExactly(issuer.trusted().audience());
    assertThat(claims.getIssueTime()).isEqualTo(Date.from(NOW));
    assertThat(claims.getNotBeforeTime()).isEqualTo(Date.from(NOW));
    assertThat(claims.getExpirationTime()).isEqualTo(Date.from(NOW.plus(Duration.ofHours(1))));
  }

  @Test
  void keyIsPrivateToItsOwner() throws Exception {
    var issuer = DevelopmentIssuer.in(folder, CLOCK);

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(issuer.keyFile())))
        .isEqualTo("rw-------");
    assertThat(Path.of(issuer.trusted().jwks())).content().doesNotContain("\"d\"");
  }

  @Test
  void keepsItsKey() {
    var first = DevelopmentIssuer.in(folder, CLOCK);
    var key = first.keyFile();

    assertThat(DevelopmentIssuer.in(folder, CLOCK).keyFile())
        .isEqualTo(key)
        .hasSameTextualContentAs(key);
    assertThat(DevelopmentIssuer.existing(folder, CLOCK).trusted()).isEqualTo(first.trusted());
  }

  @Test
  void concurrentProcessesShareOneKey() throws Exception {
    try (var threads = Executors.newFixedThreadPool(8)) {
      var issuers =
          threads.invokeAll(
              IntStream.range(0, 8)
                  .<Callable<String>>mapToObj(_ -> () -> keyOf(DevelopmentIssuer.in(folder, CLOCK)))
                  .toList());

      var keys = new HashSet<String>();
      for (var key : issuers) {
        keys.add(key.get());
      }
      assertThat(keys).hasSize(1);
    }
  }

  @Test
  void requestForATokenDoesNotCreateTheIssuer() {
    assertThatThrownBy(() -> DevelopmentIssuer.existing(folder, CLOCK))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("there is no development issuer in " + folder);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void refusesAnInvalidKey() throws Exception {
    Files.writeString(DevelopmentIssuer.in(folder, CLOCK).keyFile(), "rubbish");

    assertThatThrownBy(() -> DevelopmentIssuer.in(folder, CLOCK))
        .hasMessageEndingWith("key.json is no key: delete the file to have a new one made");
  }

  @Test
  void limitsTheLifetimeOfTokens() {
    assertThatThrownBy(() -> new TokenRequest(TENANT, "ann", List.of(), Duration.ofDays(31)))
        .hasMessageStartingWith("a token lives 1s to 30d, not ");
    assertThatThrownBy(() -> new TokenRequest(TENANT, " ", List.of(), Duration.ofDays(1)))
        .hasMessage("a token needs a principal");
  }

  private static String keyOf(DevelopmentIssuer issuer) throws Exception {
    var token =
        SignedJWT.parse(
            issuer.token(new TokenRequest(TENANT, "ann", List.of(), TokenRequest.LIFE)));
    return token.getHeader().getKeyID();
  }

  private static ECKey publicKey(DevelopmentIssuer issuer, SignedJWT token) throws Exception {
    var keys = JWKSet.load(Path.of(issuer.trusted().jwks()).toFile());
    return keys.getKeyByKeyId(token.getHeader().getKeyID()).toECKey();
  }
}
