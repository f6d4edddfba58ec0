package io.leasehold.rest.issuer;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.leasehold.rest.TokenIssuer;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Date;
import java.util.Set;
import java.util.UUID;

/**
 * Issues tokens for any tenant, with a key stored in a folder: for development only. Safe to share
 * between threads.
 */
public final class DevelopmentIssuer {

  /** The issuer named in its tokens. */
  public static final String NAME = "urn:leasehold:development";

  /** The audience named in its tokens. */
  public static final String AUDIENCE = "leasehold";

  private static final JOSEObjectType ACCESS_TOKEN = new JOSEObjectType("at+jwt");

  private final KeyFolder folder;
  private final ECKey key;
  private final Clock clock;

  private DevelopmentIssuer(KeyFolder folder, ECKey key, Clock clock) {
    this.folder = folder;
    this.key = key;
    this.clock = clock;
  }

  /**
   * Returns the issuer whose key is in a data folder, and creates the key if there is none yet.
   *
   * @throws IllegalStateException if the key cannot be read
   */
  public static DevelopmentIssuer in(Path data) {
    return in(data, Clock.systemUTC()); // Servers check tokens by their own clocks.
  }

  static DevelopmentIssuer in(Path data, Clock clock) {
    var folder = KeyFolder.below(data);
    return new DevelopmentIssuer(folder, folder.ensured(), clock);
  }

  /**
   * Returns the issuer whose key already is in a data folder.
   *
   * @throws IllegalStateException if there is no key, or it cannot be read
   */
  public static DevelopmentIssuer existing(Path data) {
    return existing(data, Clock.systemUTC());
  }

  static DevelopmentIssuer existing(Path data, Clock clock) {
    var folder = KeyFolder.below(data);
    return new DevelopmentIssuer(folder, folder.existing(), clock);
  }

  /** The file with the key that signs tokens for any tenant. */
  public Path keyFile() {
    return folder.keyFile();
  }

  /** The configuration that makes a server accept its tokens. */
  public TokenIssuer trusted() {
    return TokenIssuer.of(NAME, AUDIENCE, folder.publicFile().toUri())
        .algorithms(Set.of(JWSAlgorithm.ES256.getName()));
  }

  /** Issues a token that is valid from now on. */
  public String token(TokenRequest request) {
    var now = clock.instant();
    var claims =
        new JWTClaimsSet.Builder()
            .issuer(NAME)
            .audience(AUDIENCE)
            .subject(request.principal())
            .claim("tenant_id", request.tenant().value().toString())
            .claim("roles", request.roles())
            .issueTime(Date.from(now))
            .notBeforeTime(Date.from(now))
            .expirationTime(Date.from(now.plus(request.life())))
            .jwtID(UUID.randomUUID().toString())
            .build();
    var header =
        new JWSHeader.Builder(JWSAlgorithm.ES256).type(ACCESS_TOKEN).keyID(key.getKeyID()).build();
    return signed(new SignedJWT(header, claims));
  }

  private String signed(SignedJWT token) {
    try {
      token.sign(new ECDSASigner(key));
      return token.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException("cannot sign with the key in " + keyFile(), e);
    }
  }
}
