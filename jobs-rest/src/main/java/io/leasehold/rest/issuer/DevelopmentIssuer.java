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
 * Makes tokens for any tenant, with a key that is kept in a folder: for development, and for
 * nothing else. Safe to share between threads.
 */
public final class DevelopmentIssuer {

  /** Who made its tokens, as they say. */
  public static final String NAME = "urn:leasehold:development";

  /** For whom its tokens are. */
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
   * The issuer whose key is in a data folder; it is made where there is none yet.
   *
   * @throws IllegalStateException if the key cannot be read
   */
  public static DevelopmentIssuer in(Path data) {
    return in(data, Clock.systemUTC()); // Others look at their clocks whether a token is good.
  }

  static DevelopmentIssuer in(Path data, Clock clock) {
    var folder = KeyFolder.below(data);
    return new DevelopmentIssuer(folder, folder.ensured(), clock);
  }

  /**
   * The issuer whose key is in a data folder already.
   *
   * @throws IllegalStateException if there is none, or it cannot be read
   */
  public static DevelopmentIssuer existing(Path data) {
    return existing(data, Clock.systemUTC());
  }

  static DevelopmentIssuer existing(Path data, Clock clock) {
    var folder = KeyFolder.below(data);
    return new DevelopmentIssuer(folder, folder.existing(), clock);
  }

  /** Where the key is that makes tokens for any tenant. */
  public Path keyFile() {
    return folder.keyFile();
  }

  /** How a server knows its tokens. */
  public TokenIssuer trusted() {
    return TokenIssuer.of(NAME, AUDIENCE, folder.publicFile().toUri())
        .algorithms(Set.of(JWSAlgorithm.ES256.getName()));
  }

  /** Makes a token that can be used from now on. */
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
