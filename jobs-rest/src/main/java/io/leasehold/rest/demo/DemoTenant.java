package io.leasehold.rest.demo;

import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The tenants of the demonstration. */
public enum DemoTenant {
  /** The first. */
  ACME("00000000-0000-4000-8000-0000000000a1"),
  /** The second, who sees nothing of the first. */
  GLOBEX("00000000-0000-4000-8000-0000000000b2");

  /** Who submits the demonstration's jobs, and whose the printed tokens are. */
  public static final String PRINCIPAL = "demo";

  private final String id;

  DemoTenant(String id) {
    this.id = id;
  }

  /** Which tenant it is. */
  public TenantId tenant() {
    return TenantId.of(id);
  }

  /** What people call it: its name in small letters. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The tenant that people call so. */
  public static Optional<DemoTenant> called(String word) {
    return Stream.of(values()).filter(it -> it.word().equals(word)).findFirst();
  }

  SecurityContext caller() {
    return SecurityContext.of(PRINCIPAL, tenant()).correlationId("demonstration").build();
  }
}
