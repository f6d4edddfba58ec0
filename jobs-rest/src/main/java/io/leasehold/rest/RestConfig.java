package io.leasehold.rest;

import java.util.HashSet;
import java.util.List;

/**
 * How HTTP is served. Immutable; each method returns a changed copy.
 *
 * @param host the address to listen on; default {@code 127.0.0.1}, which other machines cannot
 *     reach
 * @param port the port; 0 for any free port; default 8080
 * @param apiOn whether the job API is served; if not, only health, readiness and metrics are;
 *     default true
 * @param commandsOn whether jobs can be cancelled, retried and deleted; default true
 * @param adminRole the role that these commands require; default {@code jobs.admin}
 * @param metricsOpen whether {@code /metrics} needs no token; otherwise it needs the admin role;
 *     default true
 * @param issuers the issuers whose tokens are accepted; without any, every caller is rejected
 * @param limits the limits for one caller
 */
public record RestConfig(
    String host,
    int port,
    boolean apiOn,
    boolean commandsOn,
    String adminRole,
    boolean metricsOpen,
    List<TokenIssuer> issuers,
    RestLimits limits) {

  private static final int PORT_MOST = 65_535;

  /**
   * Checks the limits.
   *
   * @throws IllegalArgumentException if a value is out of range
   */
  public RestConfig {
    issuers = List.copyOf(issuers);
    if (host.isBlank()) {
      throw new IllegalArgumentException("host must not be blank");
    }
    if (port < 0 || port > PORT_MOST) {
      throw new IllegalArgumentException("port must be 0 to %d, not %d".formatted(PORT_MOST, port));
    }
    if (adminRole.isBlank()) {
      throw new IllegalArgumentException("adminRole must not be blank");
    }
    var names = new HashSet<String>();
    for (var issuer : issuers) {
      if (!names.add(issuer.issuer())) {
        throw new IllegalArgumentException(
            "issuers must differ in their names, and two are %s".formatted(issuer.issuer()));
      }
    }
  }

  /** Returns the defaults. */
  public static RestConfig defaults() {
    return new RestConfig(
        "127.0.0.1", 8_080, true, true, "jobs.admin", true, List.of(), RestLimits.defaults());
  }

  /** Sets the address to listen on. */
  public RestConfig host(String host) {
    return new RestConfig(host, port, apiOn, commandsOn, adminRole, metricsOpen, issuers, limits);
  }

  /** Sets the port; 0 for any free port. */
  public RestConfig port(int port) {
    return new RestConfig(host, port, apiOn, commandsOn, adminRole, metricsOpen, issuers, limits);
  }

  /** Sets whether the job API is served, or only what describes the process. */
  public RestConfig apiOn(boolean apiOn) {
    return new RestConfig(host, port, apiOn, commandsOn, adminRole, metricsOpen, issuers, limits);
  }

  /** Sets whether jobs can be cancelled, retried and deleted. */
  public RestConfig commandsOn(boolean commandsOn) {
    return new RestConfig(host, port, apiOn, commandsOn, adminRole, metricsOpen, issuers, limits);
  }

  /** Sets the role that these commands require. */
  public RestConfig adminRole(String adminRole) {
    return new RestConfig(host, port, apiOn, commandsOn, adminRole, metricsOpen, issuers, limits);
  }

  /** Sets whether {@code /metrics} needs no token. */
  public RestConfig metricsOpen(boolean metricsOpen) {
    return new RestConfig(host, port, apiOn, commandsOn, adminRole, metricsOpen, issuers, limits);
  }

  /** Sets the issuers whose tokens are accepted. */
  public RestConfig issuers(List<TokenIssuer> issuers) {
    return new RestConfig(host, port, apiOn, commandsOn, adminRole, metricsOpen, issuers, limits);
  }

  /** Sets the limits for one caller. */
  public RestConfig limits(RestLimits limits) {
    return new RestConfig(host, port, apiOn, commandsOn, adminRole, metricsOpen, issuers, limits);
  }
}
