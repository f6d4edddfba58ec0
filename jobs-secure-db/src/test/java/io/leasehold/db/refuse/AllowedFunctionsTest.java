package io.leasehold.db.refuse;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.db.OpenAcme;
import java.sql.SQLException;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class AllowedFunctionsTest {

  // Of those that PostgreSQL holds for volatile, the ones that answer a new value each time.
  private static final Set<String> ANSWERS_ANOTHER_TIME =
      Set.of("clock_timestamp", "gen_random_uuid", "random", "uuidv4", "uuidv7");

  @RegisterExtension static final OpenAcme acme = new OpenAcme();

  @Test
  void allowedFunctionsHaveNoEffects() throws SQLException {
    var effective =
        acme.look(
            """
            SELECT DISTINCT proname FROM pg_proc
            WHERE provolatile = 'v' AND pronamespace = 'pg_catalog'::regnamespace
            """);

    assertThat(effective)
        .filteredOn(AllowedFunctions.allowed()::contains)
        .allMatch(ANSWERS_ANOTHER_TIME::contains);
  }

  @Test
  void allowedFunctionsReadNothingButTheirArguments() throws SQLException {
    var readers =
        acme.look(
            """
            SELECT DISTINCT proname FROM pg_proc
            WHERE pronamespace = 'pg_catalog'::regnamespace
              AND (proname ~ '^(pg|lo|has|inet|txid|binary_upgrade|brin|gin|hash|ts_stat|ts_rewrite)_'
                OR proname ~ '_to_xml|_schema|setting|setval|curr|lastval|nextval|current_query')
            """);

    assertThat(readers).isNotEmpty().noneMatch(AllowedFunctions.allowed()::contains);
  }
}
