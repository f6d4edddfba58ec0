package io.leasehold.rest.command;

import io.leasehold.jobs.TenantId;
import io.leasehold.rest.demo.DemoTenant;
import io.leasehold.rest.issuer.DevelopmentIssuer;
import io.leasehold.rest.issuer.TokenRequest;
import io.leasehold.rest.program.AllSettings;
import io.leasehold.rest.settings.DurationSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that define a token's claims. */
final class TokenOptions {

  @Option(
      names = "--tenant",
      required = true,
      description = "Whose jobs its holder may see: acme, globex, or the id of a tenant.")
  private String tenant = "";

  @Option(names = "--principal", description = "Who its holder is. Default: ${DEFAULT-VALUE}.")
  private String principal = DemoTenant.PRINCIPAL;

  @Option(
      names = "--role",
      description = "What its holder may do, as in jobs.admin; may be repeated. Default: nothing.")
  private List<String> roles = List.of();

  @Option(
      names = "--for",
      paramLabel = "TIME",
      description = "How long it can be used, as in 1h. Default: 8h; at most 30d.")
  private Optional<String> life = Optional.empty();

  String token(AllSettings settings) {
    var request =
        new TokenRequest(
            tenantId(), principal, roles, life.map(TokenOptions::time).orElse(TokenRequest.LIFE));
    return DevelopmentIssuer.existing(settings.program().data()).token(request);
  }

  private TenantId tenantId() {
    return DemoTenant.called(tenant).map(DemoTenant::tenant).orElseGet(this::givenId);
  }

  private TenantId givenId() {
    try {
      return TenantId.of(tenant);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "--tenant must be acme, globex, or an id of 36 characters, not '%s'".formatted(tenant),
          e);
    }
  }

  private static Duration time(String text) {
    try {
      return DurationSettings.read(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--for " + e.getMessage(), e);
    }
  }
}
