package io.leasehold.plans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PostgresConfigTest {

  private static final Path FOLDER = Path.of("/var/lib/leasehold/plans");
  private static final PostgresConfig LOCAL =
      PostgresConfig.local(FOLDER, Path.of("/usr/lib/postgresql/18/bin"));

  @Test
  void hasDefaults() {
    assertThat(LOCAL)
        .isEqualTo(
            new PostgresConfig(
                FOLDER,
                Optional.of(Path.of("/usr/lib/postgresql/18/bin")),
                Optional.empty(),
                "docker",
                "psql",
                Map.of(),
                Duration.ofMinutes(1)));
  }

  @Test
  void takesEachChangedValue() {
    assertThat(
            PostgresConfig.containers(FOLDER, "postgres:18")
                .docker("/usr/bin/podman")
                .psql("/usr/bin/psql")
                .setting("work_mem", "64MB")
                .startLimit(Duration.ofSeconds(5)))
        .isEqualTo(
            new PostgresConfig(
                FOLDER,
                Optional.empty(),
                Optional.of("postgres:18"),
                "/usr/bin/podman",
                "/usr/bin/psql",
                Map.of("work_mem", "64MB"),
                Duration.ofSeconds(5)));
  }

  @Test
  void refusesInvalidValues() {
    assertThatThrownBy(() -> PostgresConfig.local(Path.of("/" + "x".repeat(60)), FOLDER))
        .hasMessageContaining("at most 60 characters");
    assertThatThrownBy(() -> PostgresConfig.local(Path.of("/it's"), FOLDER))
        .hasMessageContaining("no quotes");
    assertThatThrownBy(() -> LOCAL.setting("work_mem = 1\nfoo", "1"))
        .hasMessageContaining("names of settings");
    assertThatThrownBy(() -> LOCAL.startLimit(Duration.ZERO)).hasMessageContaining("positive");
    assertThatThrownBy(
            () ->
                new PostgresConfig(
                    FOLDER,
                    Optional.empty(),
                    Optional.empty(),
                    "docker",
                    "psql",
                    Map.of(),
                    Duration.ofMinutes(1)))
        .hasMessageContaining("either programs or image");
  }
}
