package io.leasehold.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RestConfigTest {

  private final RestConfig defaults = RestConfig.defaults();
  private final RestLimits limits = RestLimits.defaults();
  private final TokenIssuer issuer =
      TokenIssuer.of("https://issuer", "leasehold", URI.create("https://issuer/jwks"));

  @Test
  void hasDefaults() {
    assertThat(defaults)
        .usingRecursiveComparison()
        .isEqualTo(
            new RestConfig("127.0.0.1", 8_080, true, true, "jobs.admin", true, List.of(), limits));
    assertThat(issuer)
        .isEqualTo(
            new TokenIssuer(
                "https://issuer",
                "leasehold",
                Set.of("RS256", "PS256", "ES256"),
                URI.create("https://issuer/jwks"),
                "tenant_id",
                "roles",
                Duration.ofSeconds(30)));
    assertThat(limits)
        .returns(1_048_576, RestLimits::bodyMost)
        .returns(16_384, RestLimits::headerMost)
        .returns(8_192, RestLimits::tokenMost)
        .returns(100, RestLimits::requestsPerSecond)
        .returns(200, RestLimits::requestsBurst)
        .returns(100, RestLimits::requestsPerSecondOfPrincipal)
        .returns(200, RestLimits::requestsBurstOfPrincipal)
        .returns(1_000, RestLimits::streamsPerTenant)
        .returns(1_000, RestLimits::streamsPerPrincipal)
        .returns(50, RestLimits::answersPerTenant)
        .returns(Duration.ofSeconds(30), RestLimits::slowAfter)
        .returns(Duration.ofSeconds(10), RestLimits::headerTimeout)
        .returns(Duration.ofSeconds(15), RestLimits::keepAliveEvery)
        .returns(Duration.ofSeconds(60), RestLimits::waitMost);
  }

  @Test
  void takesWhatDiffers() {
    var other = limits.waitMost(Duration.ZERO);

    assertThat(
            defaults
                .host("::")
                .port(0)
                .apiOn(false)
                .commandsOn(false)
                .adminRole("admin")
                .metricsOpen(false)
                .issuers(List.of(issuer))
                .limits(other))
        .isEqualTo(new RestConfig("::", 0, false, false, "admin", false, List.of(issuer), other));
    assertThat(
            issuer
                .algorithms(Set.of("ES512"))
                .tenantClaim("org")
                .rolesClaim("groups")
                .skew(Duration.ZERO))
        .isEqualTo(
            new TokenIssuer(
                "https://issuer",
                "leasehold",
                Set.of("ES512"),
                URI.create("https://issuer/jwks"),
                "org",
                "groups",
                Duration.ZERO));
  }

  @Test
  void takesLimitsThatDiffer() {
    var changed =
        limits
            .bodyMost(2)
            .headerMost(2_048)
            .tokenMost(512)
            .requestsPerSecond(3)
            .requestsBurst(4)
            .requestsPerSecondOfPrincipal(5)
            .requestsBurstOfPrincipal(6)
            .streamsPerTenant(100_000)
            .streamsPerPrincipal(8)
            .answersPerTenant(7)
            .slowAfter(Duration.ofSeconds(9))
            .headerTimeout(Duration.ofSeconds(11))
            .keepAliveEvery(Duration.ofSeconds(12))
            .waitMost(Duration.ofSeconds(13));

    assertThat(changed)
        .returns(2, RestLimits::bodyMost)
        .returns(2_048, RestLimits::headerMost)
        .returns(512, RestLimits::tokenMost)
        .returns(3, RestLimits::requestsPerSecond)
        .returns(4, RestLimits::requestsBurst)
        .returns(5, RestLimits::requestsPerSecondOfPrincipal)
        .returns(6, RestLimits::requestsBurstOfPrincipal)
        .returns(100_000, RestLimits::streamsPerTenant)
        .returns(8, RestLimits::streamsPerPrincipal)
        .returns(7, RestLimits::answersPerTenant)
        .returns(Duration.ofSeconds(9), RestLimits::slowAfter)
        .returns(Duration.ofSeconds(11), RestLimits::headerTimeout)
        .returns(Duration.ofSeconds(12), RestLimits::keepAliveEvery)
        .returns(Duration.ofSeconds(13), RestLimits::waitMost);
  }

  @Test
  void refusesWhatCannotBe() {
    assertThatThrownBy(() -> defaults.host(" ")).hasMessage("host must not be blank");
    assertThatThrownBy(() -> defaults.port(65_536))
        .hasMessage("port must be 0 to 65535, not 65536");
    assertThatThrownBy(() -> defaults.adminRole("")).hasMessage("adminRole must not be blank");
    assertThatThrownBy(() -> defaults.issuers(List.of(issuer, issuer)))
        .hasMessage("issuers must differ in their names, and two are https://issuer");
    assertThatThrownBy(() -> limits.bodyMost(1))
        .hasMessage("bodyMost must be 2 to 16777216, not 1");
    assertThatThrownBy(() -> limits.slowAfter(Duration.ZERO))
        .hasMessage("slowAfter must be PT0.1S to PT10M, not PT0S");
  }

  @Test
  void refusesIssuersThatCannotBe() {
    assertThatThrownBy(() -> issuer.algorithms(Set.of("HS256", "none")))
        .hasMessageEndingWith("RS512, not HS256, none");
    assertThatThrownBy(() -> issuer.algorithms(Set.of())).hasMessageEndingWith("not ");
    assertThatThrownBy(() -> issuer.skew(Duration.ofSeconds(61)))
        .hasMessage("skew must be PT0S to PT1M, not PT1M1S");
    assertThatThrownBy(() -> TokenIssuer.of("a", "b", URI.create("ftp://c")))
        .hasMessage("jwks must be an http, https or file URI, not ftp://c");
    assertThatThrownBy(() -> TokenIssuer.of("", "b", URI.create("file:///c")))
        .hasMessage("issuer must not be blank");
  }

  @Test
  void isDescribedForOperators() throws IOException {
    var settings = Files.readString(Path.of("../docs/operate/settings.md"));

    for (var type : List.of(RestConfig.class, RestLimits.class, TokenIssuer.class)) {
      assertThat(type.getDeclaredFields())
          .filteredOn(field -> !Modifier.isStatic(field.getModifiers()))
          .extracting(Field::getName)
          .allSatisfy(name -> assertThat(settings).contains("\n| `%s` |".formatted(name)));
    }
  }
}
