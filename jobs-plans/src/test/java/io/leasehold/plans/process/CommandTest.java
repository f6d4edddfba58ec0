package io.leasehold.plans.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CommandTest {

  private static final Duration SOON = Duration.ofSeconds(20);

  private static Command shell(String script) {
    return Command.of("sh", "-c", script).most(SOON);
  }

  @Test
  void separatesErrorsFromOutput() throws Exception {
    var ended = shell("echo rows; echo wrong >&2; exit 3").run();

    assertThat(ended).isEqualTo(new Command.Ended(3, "rows", "wrong"));
    assertThat(ended.why()).isEqualTo("wrong");
    assertThat(shell("echo rows; echo by the way >&2").succeed()).isEqualTo("rows");
  }

  @Test
  void keepsTheEndOfLongOutput() throws Exception {
    assertThat(shell("seq 1 20000").succeed()).endsWith("19999\n20000").hasSizeLessThan(16_385);
  }

  @Test
  void returnsTheWholeOutputOrFails() throws Exception {
    assertThat(shell("seq 1 20000").answer(200_000)).startsWith("1\n2\n").endsWith("\n20000");
    assertThatThrownBy(() -> shell("seq 1 20000").answer(1_000))
        .hasMessage("sh said 108894 bytes, and may say 1000");
  }

  @Test
  void inheritsOnlyNeededEnvironmentVariables() throws Exception {
    var told = shell("env").alone(Map.of("PGHOST", "here")).succeed();

    assertThat(told.lines().map(line -> line.substring(0, line.indexOf('='))))
        .contains("PATH", "PGHOST")
        .allMatch(
            name -> name.matches("PATH|HOME|TMPDIR|TZ|LANG.*|LC_.*|LD_.*|PGHOST|PWD|SHLVL|_"));
  }

  /** Or who is killed meanwhile would leave it. */
  @Test
  void writesItsOutputToADeletedFile() throws Exception {
    var script = "until readlink /proc/$$/fd/%d | grep -q deleted; do :; done; ";

    assertThat(shell(script.formatted(1) + script.formatted(2) + "echo yes").succeed())
        .isEqualTo("yes");
  }

  @Test
  void isKilledWithItsChildrenAtItsTimeout() throws Exception {
    var mark = "61" + ProcessHandle.current().pid();

    assertThatThrownBy(
            () -> shell("sleep " + mark + " & sleep " + mark).most(Duration.ofSeconds(1)).run())
        .hasMessage("sh took longer than PT1S");

    assertThat(ProcessHandle.allProcesses())
        .noneMatch(process -> process.info().commandLine().orElse("").endsWith("sleep " + mark));
  }
}
