package io.leasehold.db;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The names that a module's own settings may have. */
final class LocalSetting {

  private static final Pattern NAME =
      Pattern.compile("([a-z][a-z0-9_]{0,62})\\.[a-z][a-z0-9_]{0,62}");

  /** The platform's own prefixes, and those of PostgreSQL and its extensions. */
  private static final Set<String> RESERVED =
      Set.of(
          ("leasehold auth_delay auto_explain basebackup_to_shell basic_archive dblink isn"
               + " passwordcheck pg_overexplain pg_plan_advice pg_prewarm pg_stash_advice"
               + " pg_stat_statements pg_trgm pgcrypto plperl plperlu plpgsql plpython plpython3u"
               + " plpythonu pltcl pltclu postgres_fdw sepgsql ssl")
              .split(" "));

  private LocalSetting() {}

  /** Returns why a setting cannot be a module's own; empty if it can. */
  static Optional<String> problem(String name) {
    var matcher = NAME.matcher(name);
    if (!matcher.matches()) {
      return Optional.of(
          "setting %s must be named module.setting: two words of a-z, 0-9 and _, as acme.region; a"
                  .formatted(name)
              + " name without a dot is the server's own");
    }
    return Optional.of(matcher.group(1))
        .filter(RESERVED::contains)
        .map(
            prefix ->
                "setting %s is not a module's own: %s belongs to the platform or the server"
                    .formatted(name, prefix));
  }
}
