package io.leasehold.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the program says of its arguments. */
class CommandLineTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"-V", "serve --version", "migrate -V", "doctor -V"})
  void printsTheVersion(String arguments) throws Exception {
    try (var program = start(arguments)) {
      assertThat(program.exitCode()).isZero();

      assertThat(program.said()).containsPattern("\\Aleasehold [0-9]+[.][0-9]+.*\\n\\z");
    }
  }

  @Test
  void listsTheCommands() throws Exception {
    try (var program = start("--help")) {
      assertThat(program.exitCode()).isZero();

      assertThat(program.said()).contains("serve", "migrate", "doctor", "LEASEHOLD_JDBC_URL");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"bogus", "serve bogus", "doctor --bogus", "--bogus"})
  void reportsUnknownArguments(String arguments) throws Exception {
    try (var program = start(arguments)) {
      assertThat(program.exitCode()).isEqualTo(2);

      assertThat(program.said())
          .startsWith("leasehold: not understood: '")
          .containsPattern("bogus'\\nUsage: run ");
    }
  }

  @Test
  void doesNotRepeatAPassword() throws Exception {
    try (var program = start("doctor jdbc:postgresql://host/name?password=sesame")) {
      assertThat(program.exitCode()).isEqualTo(2);

      assertThat(program.said())
          .contains("'jdbc:postgresql://host/name?password=***'")
          .doesNotContain("sesame");
    }
  }

  private RunningProgram start(String arguments) throws Exception {
    var output = Files.createTempFile(folder, "output", "");
    return RunningProgram.start(output, Map.of(), arguments.split(" ", -1));
  }
}
