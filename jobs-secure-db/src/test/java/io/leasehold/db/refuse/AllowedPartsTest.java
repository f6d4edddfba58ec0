package io.leasehold.db.refuse;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.db.OpenAcme;
import java.sql.SQLException;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class AllowedPartsTest {

  // Of those that PostgreSQL holds for volatile. What a new version adds fails here first.
  private static final Set<String> HARMLESS =
      Set.of(
          "amvalidate",
          "array_sample",
          "array_shuffle",
          "clock_timestamp",
          "current_query",
          "currval",
          "dsnowball_lexize",
          "gen_random_uuid",
          "lastval",
          "nextval",
          "plpgsql_inline_handler",
          "plpgsql_validator",
          "random",
          "random_normal",
          "setseed",
          "timeofday",
          "txid_status",
          "uuidv4",
          "uuidv7");

  @RegisterExtension static final OpenAcme acme = new OpenAcme();

  @Test
  void knowsAllFunctionsThatHaveEffects() throws SQLException {
    var effective =
        acme.look(
            """
            SELECT DISTINCT proname FROM pg_proc
            WHERE provolatile = 'v' AND pronamespace = 'pg_catalog'::regnamespace
              AND prorettype NOT IN (
                'trigger'::regtype, 'event_trigger'::regtype, 'internal'::regtype,
                'index_am_handler'::regtype, 'table_am_handler'::regtype, 'tsm_handler'::regtype,
                'language_handler'::regtype)
              AND has_function_privilege('leasehold_tenant', oid, 'execute')
            """);

    var allowed =
        effective.stream()
            .filter(name -> !AllowedParts.DANGEROUS_FUNCTION.matcher(name).matches())
            .toList();

    assertThat(HARMLESS).containsAll(allowed);
  }
}
