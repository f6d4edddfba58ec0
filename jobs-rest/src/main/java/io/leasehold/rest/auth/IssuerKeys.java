package io.leasehold.rest.auth;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyType;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.RefreshAheadCachingJWKSetSource;
import com.nimbusds.jose.proc.SecurityContext;
import io.leasehold.rest.problem.Problem;
import io.leasehold.rest.problem.RequestRefusal;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;

/**
 * The public keys that an issuer publishes. Keys at a URL are fetched when the first token arrives,
 * in the background once they are ten minutes old, and when a token names an unknown key. While the
 * issuer cannot be reached, the known keys stay valid for a day. Safe to share between threads.
 */
final class IssuerKeys {

  private static final Duration FRESH = Duration.ofMinutes(10);
  private static final Duration GOOD = Duration.ofDays(1);
  private static final Duration WAIT_MOST = Duration.ofSeconds(5);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(2);
  private static final int RSA_BITS_LEAST = 2_048;

  private final JWKSetSource<SecurityContext> source;
  private final LongSupplier millis;

  private IssuerKeys(JWKSetSource<SecurityContext> source, LongSupplier millis) {
    this.source = source;
    this.millis = millis;
  }

  /** Returns the keys in a file or at a URL. Reads nothing yet. */
  static IssuerKeys at(URI address) {
    var origin = System.nanoTime(); // The cache compares with 0, and nanoTime may be negative.
    return at(address, () -> Duration.ofNanos(System.nanoTime() - origin).toMillis());
  }

  static IssuerKeys at(URI address, LongSupplier millis) {
    return new IssuerKeys(
        "file".equals(address.getScheme())
            ? new FileKeys(Path.of(address))
            : cached(new FetchKeys(address, millis)),
        millis);
  }

  // The cache that JWKSourceBuilder builds, which would take the time from the system's clock.
  private static JWKSetSource<SecurityContext> cached(FetchKeys fetch) {
    return new RefreshAheadCachingJWKSetSource<>(
        fetch,
        GOOD.toMillis(),
        WAIT_MOST.toMillis(),
        GOOD.minus(FRESH).toMillis(),
        false,
        Executors.newVirtualThreadPerTaskExecutor(),
        true,
        null);
  }

  /**
   * Finds the keys with a name that verify signatures of an algorithm.
   *
   * @return empty if the issuer has no such key
   * @throws RequestRefusal if the keys are currently unavailable
   */
  List<JWK> find(String kid, JWSAlgorithm algorithm) {
    var wanted = selector(kid, algorithm);
    var known = known();
    var found = wanted.select(known);
    return found.isEmpty() ? wanted.select(newerThan(known)) : found;
  }

  private static JWKSelector selector(String kid, JWSAlgorithm algorithm) {
    var type = KeyType.forAlgorithm(algorithm);
    return new JWKSelector(
        new JWKMatcher.Builder()
            .keyID(kid)
            .keyType(type)
            .keyUses(KeyUse.SIGNATURE, null)
            .algorithms(algorithm, null)
            .curves(Curve.forJWSAlgorithm(algorithm))
            .minKeySize(KeyType.RSA.equals(type) ? RSA_BITS_LEAST : 0)
            .build());
  }

  private JWKSet known() {
    try {
      return source.getJWKSet(JWKSetCacheRefreshEvaluator.noRefresh(), millis.getAsLong(), null);
    } catch (KeySourceException e) {
      throw RequestRefusal.until(Problem.UNAVAILABLE, RETRY_AFTER);
    }
  }

  // If no newer keys can be fetched, or only later, the issuer has no such key as far as is known.
  private JWKSet newerThan(JWKSet known) {
    try {
      return source.getJWKSet(
          JWKSetCacheRefreshEvaluator.referenceComparison(known), millis.getAsLong(), null);
    } catch (KeySourceException e) {
      return known;
    }
  }
}
