package io.leasehold.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecurityContextTest {

  private static final TenantId OWN = tenant(1);
  private static final TenantId OTHER = tenant(2);

  @Test
  void readsOnlyItsOwnTenantByDefault() {
    var caller = SecurityContext.of("ann", OWN).build();

    assertThat(caller.readableTenants()).containsExactly(OWN);
    assertThat(caller.roles()).isEmpty();
    assertThat(caller.correlationId()).isEmpty();
  }

  @Test
  void alwaysReadsItsOwnTenant() {
    var caller = SecurityContext.of("ann", OWN).reading(List.of(OTHER)).build();

    assertThat(caller.readableTenants()).containsExactlyInAnyOrder(OWN, OTHER);
  }

  @Test
  void isEqualForEqualParts() {
    assertThat(SecurityContext.of("ann", OWN).roles(List.of("admin")).correlationId("c").build())
        .isEqualTo(
            SecurityContext.of("ann", OWN).correlationId("c").roles(List.of("admin")).build());
  }

  @Test
  void refusesMoreReadableTenantsThanAStatementCanName() {
    var builder = SecurityContext.of("ann", OWN).reading(tenants(1_000));

    assertThatThrownBy(builder::build)
        .hasMessage("readable tenants must be at most 1000, not 1001");
  }

  @Test
  void refusesABlankPrincipal() {
    var builder = SecurityContext.of(" \u3000", OWN);

    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("principal must not be blank");
  }

  @Test
  void cannotBeImplementedByOtherClasses() {
    assertThat(SecurityContext.class.isSealed()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a\nb",
        "a\u001bb",
        "a\0b",
        "a\u0085b",
        "a\u2028b",
        "a\u202eb",
        "a\u2066b",
        "\ud800"
      })
  void refusesAPrincipalWithControlCharacters(String principal) {
    var builder = SecurityContext.of(principal, OWN);

    assertThatIllegalArgumentException()
        .isThrownBy(builder::build)
        .withMessageMatching("principal must have no control characters, not U\\+[0-9A-F]{4} at .");
  }

  @Test
  void limitsTheLengthOfAPrincipal() {
    assertThat(SecurityContext.of("\ud83d\ude00".repeat(255), OWN).build().principal())
        .hasSize(510);
    assertThatIllegalArgumentException()
        .isThrownBy(SecurityContext.of("p".repeat(256), OWN)::build)
        .withMessage("principal must have at most 255 characters, not 256");
  }

  /** It comes from headers of requests, which are not refused for it. */
  @Test
  void replacesControlsInACorrelationIdAndTruncatesIt() {
    var hostile = "x\"\n2026 ERROR\u001b[31m\u2028\u202e\ud800";
    var longest = "\ud83d\ude00".repeat(255);

    assertThat(correlation(hostile)).isEqualTo("x\"\ufffd2026 ERROR\ufffd[31m\ufffd\ufffd\ufffd");
    assertThat(correlation(longest)).isEqualTo(longest);
    assertThat(correlation(longest + "x")).isEqualTo(longest);
  }

  private static String correlation(String id) {
    return SecurityContext.of("ann", OWN).correlationId(id).build().correlationId();
  }

  @Test
  @SuppressWarnings("NullAway") // Callers without its checks exist.
  void requiresATenant() {
    assertThatThrownBy(() -> new TenantId(null)).hasMessage("value");
    assertThatThrownBy(() -> SecurityContext.of("ann", null).build()).hasMessage("tenant");
  }

  private static List<TenantId> tenants(int count) {
    return IntStream.range(0, count).mapToObj(i -> tenant(i + 2)).toList();
  }

  private static TenantId tenant(int number) {
    return new TenantId(new UUID(0, number));
  }
}
