package io.leasehold.rest.program.settings;

import static io.leasehold.rest.settings.Kinds.ADDRESS;
import static io.leasehold.rest.settings.Kinds.TEXT;
import static io.leasehold.rest.settings.Kinds.TIME;
import static io.leasehold.rest.settings.Kinds.WORDS;

import io.leasehold.rest.TokenIssuer;
import io.leasehold.rest.settings.Setting;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A token issuer while its settings are being read.
 *
 * @param name the issuer's name
 * @param audience the name of this service in its tokens
 * @param jwks the location of its keys
 * @param rest the settings that have defaults
 */
public record NewIssuer(
    Optional<String> name, Optional<String> audience, Optional<URI> jwks, TokenIssuer rest) {

  public static final List<Setting<NewIssuer, ?>> PARTS =
      List.of(
          Setting.part("issuer", TEXT, NewIssuer::name),
          Setting.part("audience", TEXT, NewIssuer::audience),
          Setting.part("jwks", ADDRESS, NewIssuer::jwks),
          Setting.<NewIssuer, List<String>>part(
              "algorithms",
              WORDS,
              (issuer, value) -> issuer.but(issuer.rest.algorithms(inCapitals(value)))),
          Setting.<NewIssuer, String>part(
              "tenant-claim", TEXT, (issuer, value) -> issuer.but(issuer.rest.tenantClaim(value))),
          Setting.<NewIssuer, String>part(
              "roles-claim", TEXT, (issuer, value) -> issuer.but(issuer.rest.rolesClaim(value))),
          Setting.<NewIssuer, Duration>part(
              "skew", TIME, (issuer, value) -> issuer.but(issuer.rest.skew(value))));

  private static final URI SOMEWHERE = URI.create("https://issuer.invalid/jwks.json");

  public static NewIssuer blank() {
    return new NewIssuer(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        TokenIssuer.of("nobody", "nobody", SOMEWHERE));
  }

  /** The algorithms in capitals, as the standard writes them. */
  private static Set<String> inCapitals(List<String> algorithms) {
    return algorithms.stream()
        .map(name -> name.toUpperCase(Locale.ROOT))
        .collect(Collectors.toUnmodifiableSet());
  }

  public TokenIssuer made() {
    if (name.isEmpty() || audience.isEmpty() || jwks.isEmpty()) {
      throw new IllegalArgumentException("an issuer needs issuer, audience and jwks");
    }
    return TokenIssuer.of(name.get(), audience.get(), jwks.get())
        .algorithms(rest.algorithms())
        .tenantClaim(rest.tenantClaim())
        .rolesClaim(rest.rolesClaim())
        .skew(rest.skew());
  }

  private NewIssuer name(String value) {
    TokenIssuer.of(value, "nobody", SOMEWHERE); // rejects invalid names
    return new NewIssuer(Optional.of(value), audience, jwks, rest);
  }

  private NewIssuer audience(String value) {
    TokenIssuer.of("nobody", value, SOMEWHERE);
    return new NewIssuer(name, Optional.of(value), jwks, rest);
  }

  private NewIssuer jwks(URI value) {
    TokenIssuer.of("nobody", "nobody", value);
    return new NewIssuer(name, audience, Optional.of(value), rest);
  }

  private NewIssuer but(TokenIssuer changed) {
    return new NewIssuer(name, audience, jwks, changed);
  }
}
