package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.engine.EngineConfig.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EngineConfigTest {

  private final EngineConfig defaults = EngineConfig.defaults();

  @Test
  void hasDefaults() {
    assertThat(defaults)
        .isEqualTo(
            new EngineConfig(
                "pid " + ProcessHandle.current().pid(),
                EngineConfig.Mode.WORKERS,
                Set.of(Role.WORKER, Role.MAINTENANCE),
                50,
                Map.of(),
                50,
                50,
                10_000,
                Duration.ofMinutes(10),
                Duration.ofSeconds(60),
                Duration.ofSeconds(15),
                Optional.empty(),
                Duration.ofSeconds(1),
                Duration.ofSeconds(15),
                Duration.ofSeconds(10),
                10,
                10_000,
                7,
                Duration.ofDays(14),
                OutputConfig.defaults()));
  }

  @Test
  void takesEachChangedValue() {
    var config =
        defaults
            .workerName("worker-7")
            .mode(EngineConfig.Mode.DIRECT)
            .roles(Set.of(Role.WORKER))
            .concurrency(3)
            .concurrencyOf(Map.of("reports", 2))
            .directConcurrency(8)
            .memoryConcurrency(9)
            .memoryCapacity(11)
            .memoryKept(Duration.ofSeconds(12))
            .lease(Duration.ofSeconds(4))
            .rescueEvery(Duration.ofSeconds(5))
            .staleAfter(Duration.ofSeconds(18))
            .pollEvery(Duration.ofSeconds(6))
            .watchEvery(Duration.ofSeconds(17))
            .cancelGrace(Duration.ofSeconds(7))
            .writesPerSecond(13)
            .eventsMost(14)
            .daysAhead(15)
            .retention(Duration.ofDays(16))
            .outputs(new OutputConfig(Optional.of(Path.of("shared")), 17));

    assertThat(config)
        .isEqualTo(
            new EngineConfig(
                "worker-7",
                EngineConfig.Mode.DIRECT,
                Set.of(Role.WORKER),
                3,
                Map.of("reports", 2),
                8,
                9,
                11,
                Duration.ofSeconds(12),
                Duration.ofSeconds(4),
                Duration.ofSeconds(5),
                Optional.of(Duration.ofSeconds(18)),
                Duration.ofSeconds(6),
                Duration.ofSeconds(17),
                Duration.ofSeconds(7),
                13,
                14,
                15,
                Duration.ofDays(16),
                OutputConfig.defaults().folder(Path.of("shared")).bytesMost(17)));
  }

  @Test
  void refusesInvalidValues() {
    assertThatThrownBy(() -> defaults.concurrency(0))
        .hasMessage("concurrency must be 1 to 100000, not 0");
    assertThatThrownBy(() -> defaults.concurrencyOf(Map.of("reports", 0)))
        .hasMessage("concurrency must be 1 to 100000, not 0");
    assertThatThrownBy(() -> defaults.directConcurrency(0))
        .hasMessage("directConcurrency must be 1 to 100000, not 0");
    assertThatThrownBy(() -> defaults.memoryConcurrency(0))
        .hasMessage("memoryConcurrency must be 1 to 100000, not 0");
    assertThatThrownBy(() -> defaults.memoryCapacity(0))
        .hasMessage("memoryCapacity must be 1 to 10000000, not 0");
    assertThatThrownBy(() -> defaults.memoryKept(Duration.ofDays(2)))
        .hasMessage("memoryKept must be PT0S to PT24H, not PT48H");
    assertThatThrownBy(() -> defaults.writesPerSecond(0))
        .hasMessage("writesPerSecond must be 1 to 1000, not 0");
    assertThatThrownBy(() -> defaults.eventsMost(-1))
        .hasMessage("eventsMost must be 0 to 1000000, not -1");
    assertThatThrownBy(() -> defaults.daysAhead(0)).hasMessage("daysAhead must be 1 to 366, not 0");
    assertThatThrownBy(() -> defaults.retention(Duration.ofHours(1)))
        .hasMessage("retention must be PT24H to PT87600H, not PT1H");
    assertThatThrownBy(() -> defaults.lease(Duration.ZERO))
        .hasMessage("lease must be PT1S to PT1H, not PT0S");
    assertThatThrownBy(() -> defaults.rescueEvery(Duration.ofDays(1)))
        .hasMessage("rescueEvery must be PT0.1S to PT1H, not PT24H");
    assertThatThrownBy(() -> defaults.staleAfter(Duration.ofMillis(999)))
        .hasMessage("staleAfter must be PT1S to PT1H, not PT0.999S");
    assertThatThrownBy(() -> defaults.pollEvery(Duration.ZERO))
        .hasMessage("pollEvery must be PT0.01S to PT1M, not PT0S");
    assertThatThrownBy(() -> defaults.watchEvery(Duration.ZERO))
        .hasMessage("watchEvery must be PT0.1S to PT1H, not PT0S");
    assertThatThrownBy(() -> defaults.roles(Set.of()).mode(EngineConfig.Mode.DIRECT))
        .hasMessageStartingWith("roles must have WORKER in mode DIRECT");
    assertThatThrownBy(() -> defaults.outputs().bytesMost(0))
        .hasMessage("bytesMost must be 1 to 1125899906842624, not 0");
    assertThatThrownBy(() -> defaults.cancelGrace(Duration.ofDays(1)))
        .hasMessage("cancelGrace must be PT0S to PT1H, not PT24H");
  }

  @Test
  void isDescribedForOperators() throws IOException {
    var settings = Files.readString(Path.of("../docs/operate/settings.md"));

    assertThat(Arrays.stream(EngineConfig.class.getRecordComponents()))
        .allSatisfy(
            component ->
                assertThat(settings).contains("\n| `%s` |".formatted(component.getName())));
  }
}
