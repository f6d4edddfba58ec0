package io.leasehold.bench.stream;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.leasehold.jobs.TenantId;
import io.leasehold.rest.TokenIssuer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;

/** A token issuer for the duration of a run. */
final class Keys {

  private static final String ISSUER = "https://bench.example";
  private static final String AUDIENCE = "leasehold";
  private static final Duration TTL = Duration.ofHours(2);

  private final ECKey key;
  private final Path file;

  private Keys(ECKey key, Path file) {
    this.key = key;
    this.file = file;
  }

  static Keys make() throws IOException, JOSEException {
    var key = new ECKeyGenerator(Curve.P_256).keyID("bench").generate();
    var file = Files.createTempFile("leasehold-bench-", ".jwks");
    Files.writeString(file, new JWKSet(key.toPublicJWK()).toString());
    file.toFile().deleteOnExit();
    return new Keys(key, file);
  }

  TokenIssuer issuer() {
    return TokenIssuer.of(ISSUER, AUDIENCE, file.toUri());
  }

  String token(TenantId tenant) throws JOSEException {
    var now = Instant.now();
    var claims =
        new JWTClaimsSet.Builder()
            .issuer(ISSUER)
            .audience(AUDIENCE)
            .subject("bench")
            .claim("tenant_id", tenant.toString())
            .issueTime(Date.from(now))
            .notBeforeTime(Date.from(now))
            .expirationTime(Date.from(now.plus(TTL)))
            .build();
    var header =
        new JWSHeader.Builder(JWSAlgorithm.ES256)
            .type(new JOSEObjectType("at+jwt"))
            .keyID(key.getKeyID())
            .build();
    var token = new SignedJWT(header, claims);
    token.sign(new ECDSASigner(key));
    return token.serialize();
  }
}
