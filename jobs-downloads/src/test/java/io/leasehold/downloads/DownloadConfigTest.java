package io.leasehold.downloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DownloadConfigTest {

  private final DownloadConfig defaults = DownloadConfig.defaults();

  @Test
  void defaultsAreThoseOfTheGuide() {
    assertThat(defaults)
        .isEqualTo(
            new DownloadConfig(
                List.of(),
                1L << 30,
                8L << 20,
                Duration.ofSeconds(10),
                Duration.ofSeconds(60),
                Duration.ofSeconds(30),
                1_024,
                5));
  }

  @Test
  void eachPartCanBeChanged() {
    var changed =
        defaults
            .networks("10.1.0.0/16")
            .bytesMost(1)
            .keepEvery(2)
            .connectTimeout(Duration.ofSeconds(3))
            .headTimeout(Duration.ofSeconds(4))
            .readTimeout(Duration.ofSeconds(5))
            .leastRate(6)
            .redirectsMost(7);

    assertThat(changed)
        .isEqualTo(
            new DownloadConfig(
                List.of("10.1.0.0/16"),
                1,
                2,
                Duration.ofSeconds(3),
                Duration.ofSeconds(4),
                Duration.ofSeconds(5),
                6,
                7));
  }

  @Test
  void timesAndRatesHaveBounds() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> defaults.headTimeout(Duration.ofMillis(9)))
        .withMessage("headTimeout must be PT0.01S to PT10M, not PT0.009S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> defaults.headTimeout(Duration.ofMinutes(11)))
        .withMessageContaining("headTimeout must be");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> defaults.leastRate(0))
        .withMessage("leastRate must be 1 to 1073741824 bytes a second, not 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> defaults.leastRate((1L << 30) + 1))
        .withMessageContaining("leastRate must be");
  }
}
