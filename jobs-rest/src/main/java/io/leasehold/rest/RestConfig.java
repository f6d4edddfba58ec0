package io.leasehold.rest;

import java.util.HashSet;
import java.util.List;

/**
 * How HTTP is served. Immutable; each method returns a changed copy.
 *
 * @param host the address to listen on; default {@code 127.0.0.1}, which nobody else reaches
 * @param port the port; 0 for any that is free; default 8080
 * @param apiOn whether jobs are served; else what tells of the process is, and nothing more;
 *     default true
 * @param commandsOn whether jobs can be cancelled, retried and deleted; default true
 * @param adminRole who may do that; default {@code jobs.admin}
 * @param metricsOpen whether {@code /metrics} needs no token; else it needs the admin's role;
 *     default true
 * @param issuers whose tokens are taken; without any, nobody comes in
 * @param limits how much one caller may ask for
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
   * Checks the bounds.
   *
   * @throws IllegalArgumentException if one does not hold
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

  /** The defaults. */
  public static RestConfig defaults() {
    return new RestConfig(
        "127.0.0.1", 8_080, true, true, "jobs.admin", true, List.of(), RestLimits.defaults());
  }

  /** The address to listen on. */
  public RestConfig host(String host) {
    return new RestConfig(host, port, apiOn, commandsOn, adminRole, metricsOpen, issuers, limits);
  }

  /** The port, 0 for any that is free. */
  public RestConfig port(int port) {
    return new RestConfig(host, port, apiOn, commandsOn, adminRole, metricsOpen, issuers, limits);
  }

  /** Whether jobs are served, or what tells of the process alone. */
  public RestConfig apiOn(boolean apiOn) {
    return new RestConfig(host, port, apiOn, commandsOn, adminRole, metricsOpen, issuers, limits);
  }

  /** Whether jobs can be cancelled, retried and deleted. */
  public RestConfig commandsOn(boolean commandsOn) {
    return new RestConfig(host, port, apiOn, commandsOn, adminRole, metricsOpen, issuers, limits);
  }

  /** Who may do that. */
  public RestConfig adminRole(String adminRole) {
    return new RestConfig(host, port, apiOn, commandsOn, adminRole, metricsOpen, issuers, limits);
  }

  /** Whether {@code /metrics} needs no token. */
  public RestConfig metricsOpen(boolean metricsOpen) {
    return new RestConfig(host, port, apiOn, commandsOn, adminRole, metricsOpen, issuers, limits);
  }

  /** Whose tokens are taken. */
  public RestConfig issuers(List<TokenIssuer> issuers) {
    return new RestConfig(host, port, apiOn, commandsOn, adminRole, metricsOpen, issuers, limits);
  }

  /** How much one caller may ask for. */
  public RestConfig limits(RestLimits limits) {
    return new RestConfig(host, port, apiOn, commandsOn, adminRole, metricsOpen, issuers, limits);
  }
}
