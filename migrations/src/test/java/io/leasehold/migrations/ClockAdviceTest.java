package io.leasehold.migrations;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ClockAdviceTest {

  private static final String ADVICE =
      "SELECT rule || ' ' || object || ' ' || problem FROM leasehold.clock_advice()";

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  @Test
  void isEmptyForACorrectClock() throws SQLException {
    try (var engine = new Session(database.connectAs("leasehold_engine"))) {
      assertThat(engine.ask(ADVICE)).isEmpty();
    }
  }

  @Test
  void aStepBackIsListedForADay() throws SQLException {
    try (var session = new Session(database.connectAsAdministrator()).begin()) {
      session.run(
          "UPDATE leasehold.clock SET back_at = now() - interval '23 h', back_by = interval '1 h'");
      assertThat(session.ask(ADVICE))
          .singleElement()
          .asString()
          .startsWith("server-clock server its clock went back by 01:00:00, to ");

      session.run("UPDATE leasehold.clock SET back_at = now() - interval '25 h'");
      assertThat(session.ask(ADVICE)).isEmpty();
    }
  }
}
