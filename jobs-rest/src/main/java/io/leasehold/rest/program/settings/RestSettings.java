package io.leasehold.rest.program.settings;

import static io.leasehold.rest.settings.Kinds.NUMBER;
import static io.leasehold.rest.settings.Kinds.SWITCH;
import static io.leasehold.rest.settings.Kinds.TEXT;
import static io.leasehold.rest.settings.Kinds.TIME;

import io.leasehold.rest.RestConfig;
import io.leasehold.rest.RestLimits;
import io.leasehold.rest.settings.Kind;
import io.leasehold.rest.settings.ListOf;
import io.leasehold.rest.settings.Setting;
import java.util.List;
import java.util.function.BiFunction;

/** The settings of HTTP. */
public final class RestSettings {

  public static final List<Setting<RestConfig, ?>> ALL =
      List.of(
          Setting.of("rest.host", TEXT, RestConfig::host),
          Setting.of("rest.port", NUMBER, RestConfig::port),
          Setting.of("rest.commands-on", SWITCH, RestConfig::commandsOn),
          Setting.of("rest.admin-role", TEXT, RestConfig::adminRole),
          Setting.of("rest.metrics-open", SWITCH, RestConfig::metricsOpen),
          Setting.of(
              "rest.issuers",
              new ListOf<>(NewIssuer.blank(), NewIssuer.PARTS, NewIssuer::made),
              RestConfig::issuers),
          limit("body-most", NUMBER, RestLimits::bodyMost),
          limit("header-most", NUMBER, RestLimits::headerMost),
          limit("token-most", NUMBER, RestLimits::tokenMost),
          limit("requests-per-second", NUMBER, RestLimits::requestsPerSecond),
          limit("requests-burst", NUMBER, RestLimits::requestsBurst),
          limit(
              "requests-per-second-of-principal", NUMBER, RestLimits::requestsPerSecondOfPrincipal),
          limit("requests-burst-of-principal", NUMBER, RestLimits::requestsBurstOfPrincipal),
          limit("streams-per-tenant", NUMBER, RestLimits::streamsPerTenant),
          limit("streams-per-principal", NUMBER, RestLimits::streamsPerPrincipal),
          limit("answers-per-tenant", NUMBER, RestLimits::answersPerTenant),
          limit("slow-after", TIME, RestLimits::slowAfter),
          limit("header-timeout", TIME, RestLimits::headerTimeout),
          limit("keep-alive-every", TIME, RestLimits::keepAliveEvery),
          limit("wait-most", TIME, RestLimits::waitMost));

  private RestSettings() {}

  private static <T> Setting<RestConfig, T> limit(
      String key, Kind<T> kind, BiFunction<RestLimits, T, RestLimits> change) {
    return Setting.of(
        "rest.limits." + key,
        kind,
        (config, value) -> config.limits(change.apply(config.limits(), value)));
  }
}
