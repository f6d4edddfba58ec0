package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EngineConfigTest {

  private final EngineConfig defaults = EngineConfig.defaults();

  @Test
  void hasDefaults() {
    assertThat(defaults)
        .isEqualTo(
            new EngineConfig(
                "pid " + ProcessHandle.current().pid(),
                50,
                Map.of(),
                Duration.ofSeconds(60),
                Duration.ofSeconds(15),
                Duration.ofSeconds(1),
                Duration.ofSeconds(10),
                7,
                Duration.ofDays(14)));
  }

  @Test
  void takesWhatDiffers() {
    var config =
        defaults
            .concurrency(3)
            .lease(Duration.ofSeconds(4))
            .rescueEvery(Duration.ofSeconds(5))
            .pollEvery(Duration.ofSeconds(6))
            .cancelGrace(Duration.ofSeconds(7));

    assertThat(config.concurrency()).isEqualTo(3);
    assertThat(config.lease()).isEqualTo(Duration.ofSeconds(4));
    assertThat(config.rescueEvery()).isEqualTo(Duration.ofSeconds(5));
    assertThat(config.pollEvery()).isEqualTo(Duration.ofSeconds(6));
    assertThat(config.cancelGrace()).isEqualTo(Duration.ofSeconds(7));
  }

  @Test
  void refusesWhatCannotBe() {
    assertThatThrownBy(() -> defaults.concurrency(0))
        .hasMessage("concurrency must be 1 to 100000, not 0");
    assertThatThrownBy(() -> defaults.lease(Duration.ZERO))
        .hasMessage("lease must be PT1S to PT1H, not PT0S");
    assertThatThrownBy(() -> defaults.rescueEvery(Duration.ofDays(1)))
        .hasMessage("rescueEvery must be PT0.1S to PT1H, not PT24H");
    assertThatThrownBy(() -> defaults.pollEvery(Duration.ZERO))
        .hasMessage("pollEvery must be PT0.01S to PT1M, not PT0S");
    assertThatThrownBy(() -> defaults.cancelGrace(Duration.ofDays(1)))
        .hasMessage("cancelGrace must be PT0S to PT1H, not PT24H");
  }

  @Test
  void isDescribedForOperators() throws IOException {
    var settings = Files.readString(Path.of("../docs/operate/settings.md"));

    assertThat(Arrays.stream(EngineConfig.class.getRecordComponents()))
        .allSatisfy(its -> assertThat(settings).contains("\n| `%s` |".formatted(its.getName())));
  }
}
