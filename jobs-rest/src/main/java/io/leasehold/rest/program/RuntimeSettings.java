package io.leasehold.rest.program;

import io.leasehold.db.DbConfig;
import io.leasehold.db.Secret;
import java.util.Map;
import java.util.Optional;

/** How the program works on its database, as the environment says. */
final class RuntimeSettings {

  private RuntimeSettings() {}

  /**
   * Reads the settings; those that are not given have the defaults of {@link DbConfig}.
   *
   * @throws IllegalArgumentException if one is not what it has to be
   */
  static DbConfig of(
      Map<String, String> environment, String jdbcUrl, Map<String, String> passwords) {
    var settings =
        DbConfig.of(
            jdbcUrl,
            password(passwords, RolePasswords.TENANT),
            password(passwords, RolePasswords.ENGINE));
    given(environment, "LEASEHOLD_TENANT_USER").ifPresent(settings::tenantUser);
    given(environment, "LEASEHOLD_ENGINE_USER").ifPresent(settings::engineUser);
    given(environment, "LEASEHOLD_LISTEN_URL")
        .ifPresent(it -> settings.listenUrl(GivenUrl.checked("LEASEHOLD_LISTEN_URL", it)));
    given(environment, "LEASEHOLD_NOTIFICATIONS")
        .ifPresent(it -> settings.notifications(isOn("LEASEHOLD_NOTIFICATIONS", it)));
    return settings.build();
  }

  private static Optional<String> given(Map<String, String> environment, String name) {
    return Optional.ofNullable(environment.get(name));
  }

  private static Secret password(Map<String, String> passwords, String role) {
    return new Secret(passwords.getOrDefault(role, ""));
  }

  private static boolean isOn(String name, String value) {
    return switch (value) {
      case "on" -> true;
      case "off" -> false;
      default -> throw new IllegalArgumentException(name + " must be on or off, not " + value);
    };
  }
}
