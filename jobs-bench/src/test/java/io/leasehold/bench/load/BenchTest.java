package io.leasehold.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.bench.Report;
import io.leasehold.bench.limit.BenchServer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The benchmarks compare on the newest server alone: what they compare with makes its ids there.
 */
@EnabledIfSystemProperty(named = "leasehold.test.postgres", matches = "18")
class BenchTest {

  private static BenchServer server;

  @BeforeAll
  static void start() throws Exception {
    server = BenchServer.start();
    EngineQueue.migrate(server);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  static List<String> rows() {
    return Bench.names();
  }

  @ParameterizedTest
  @MethodSource("rows")
  void measuresEachRow(String row) throws Exception {
    var report = Report.of(row);

    Bench.run(List.of(row), server, Sizes.tiny(), report);

    assertThat(report.lines()).anyMatch(line -> line.matches("\\| .*\\d.*\\|"));
  }

  @Test
  void refusesUnknownRows() throws Exception {
    var report = Report.of("none");

    assertThatThrownBy(() -> Bench.run(List.of("speed"), server, Sizes.tiny(), report))
        .hasMessageStartingWith("the row must be one of [drain, submit, ");
  }
}
