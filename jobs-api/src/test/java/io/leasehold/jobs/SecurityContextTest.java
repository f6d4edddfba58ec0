package io.leasehold.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SecurityContextTest {

  private static final TenantId OWN = tenant(1);
  private static final TenantId OTHER = tenant(2);

  @Test
  void readsItsOwnTenantUnlessToldOfMore() {
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
  void isTheSameForTheSameParts() {
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
  void namesWhoCalls() {
    var builder = SecurityContext.of(" ", OWN);

    assertThatThrownBy(builder::build).hasMessage("principal must not be blank");
  }

  @Test
  @SuppressWarnings("NullAway") // Callers without its checks exist.
  void refusesToBeForNoTenant() {
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
