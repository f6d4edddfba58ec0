package io.leasehold.rest.demo;

import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The tenants of the demonstration. */
public enum DemoTenant {
  /** The first tenant. */
  ACME("00000000-0000-4000-8000-0000000000a1"),
  /** The second tenant, which sees none of the first one's data. */
  GLOBEX("00000000-0000-4000-8000-0000000000b2");

  /** The principal that submits the demonstration's jobs and owns the printed tokens. */
  public static final String PRINCIPAL = "demo";

  private final String id;

  DemoTenant(String id) {
    this.id = id;
  }

  /** The tenant's id. */
  public TenantId tenant() {
    return TenantId.of(id);
  }

  /** The display name: the constant's name in lower case. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Finds the tenant with this display name. */
  public static Optional<DemoTenant> called(String word) {
    return Stream.of(values()).filter(it -> it.word().equals(word)).findFirst();
  }

  SecurityContext caller() {
    return SecurityContext.of(PRINCIPAL, tenant()).correlationId("demonstration").build();
  }
}
