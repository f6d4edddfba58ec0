package io.leasehold.rest.stack;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.factories.DefaultJWSSignerFactory;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import io.leasehold.jobs.TenantId;
import io.leasehold.rest.TokenIssuer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Gives tokens to tests, with keys of its own in a file. */
public final class TestIssuer {

  /** Its name. */
  public static final String NAME = "https://issuer.test";

  /** What the server under test is called in tokens. */
  public static final String AUDIENCE = "leasehold-test";

  private final JWK elliptic;
  private final JWK rsa;
  private final Path file;

  private TestIssuer(JWK elliptic, JWK rsa, Path file) {
    this.elliptic = elliptic;
    this.rsa = rsa;
    this.file = file;
  }

  /** Makes keys, and publishes them in a temporary file. */
  public static TestIssuer create() {
    try {
      var file = Files.createTempFile("jwks", ".json");
      file.toFile().deleteOnExit();
      var issuer =
          new TestIssuer(
              new ECKeyGenerator(Curve.P_256).keyID("elliptic").generate(),
              new RSAKeyGenerator(2_048).keyID("rsa").generate(),
              file);
      issuer.publish(issuer.elliptic, issuer.rsa);
      return issuer;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Has these keys, and no others, in its file. */
  public void publish(JWK... keys) {
    try {
      Files.writeString(file, new JWKSet(List.of(keys)).toString(true));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As the server is told of it. */
  public TokenIssuer settings() {
    return TokenIssuer.of(NAME, AUDIENCE, file.toUri());
  }

  /** The key that it signs with, unless another is named. */
  public JWK elliptic() {
    return elliptic;
  }

  /** Another. */
  public JWK rsa() {
    return rsa;
  }

  /** A token for an hour. */
  public String token(TenantId tenant, String... roles) {
    return signed(claims(tenant, roles));
  }

  /** A token for a while. */
  public String shortToken(TenantId tenant, Duration valid) {
    var claims = claims(tenant);
    claims.put("exp", Instant.now().plus(valid).toEpochMilli() / 1_000d);
    return signed(claims);
  }

  /** What a good token says; a test may change it. */
  public Map<String, Object> claims(TenantId tenant, String... roles) {
    var now = Instant.now().getEpochSecond();
    var claims = new LinkedHashMap<String, Object>();
    claims.put("iss", NAME);
    claims.put("aud", AUDIENCE);
    claims.put("sub", "ann");
    claims.put("tenant_id", tenant.toString());
    claims.put("roles", List.of(roles));
    claims.put("iat", now);
    claims.put("nbf", now - 1);
    claims.put("exp", now + 3_600);
    return claims;
  }

  /** Signs claims as a good token's. */
  public String signed(Map<String, Object> claims) {
    return signed(header().build(), claims, elliptic);
  }

  /** The header of a good token; a test may change it. */
  public JWSHeader.Builder header() {
    return new JWSHeader.Builder(JWSAlgorithm.ES256)
        .type(new JOSEObjectType("at+jwt"))
        .keyID(elliptic.getKeyID());
  }

  /** Signs anything. */
  public static String signed(JWSHeader header, Map<String, Object> claims, JWK key) {
    try {
      JWSSigner signer = new DefaultJWSSignerFactory().createJWSSigner(key, header.getAlgorithm());
      var token = new JWSObject(header, new Payload(claims));
      token.sign(signer);
      return token.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }
}
