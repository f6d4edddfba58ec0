package io.leasehold.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DbConfigTest {

  private static final String URL = "jdbc:postgresql://db/service";
  private static final Secret TENANT = new Secret("t");
  private static final Secret ENGINE = new Secret("e");

  private final DbConfig.Builder builder = DbConfig.of(URL, TENANT, ENGINE);

  @Test
  void hasDefaultsForAllButTheUrlAndThePasswords() {
    assertThat(builder.build())
        .isEqualTo(
            new DbConfig(
                URL,
                "leasehold_tenant",
                TENANT,
                "leasehold_engine",
                ENGINE,
                10,
                5,
                Duration.ofMinutes(2),
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                Duration.ofSeconds(30),
                Duration.ofSeconds(60),
                Duration.ofSeconds(10),
                true,
                URL,
                true));
  }

  @Test
  void takesEachChangedValue() {
    var config =
        builder
            .tenantUser("app")
            .engineUser("worker")
            .tenantConnections(1)
            .engineConnections(2)
            .idleTimeout(Duration.ofSeconds(17))
            .connectTimeout(Duration.ofSeconds(3))
            .startTimeout(Duration.ofSeconds(18))
            .statementTimeout(Duration.ofSeconds(4))
            .transactionTimeout(Duration.ofSeconds(5))
            .lockTimeout(Duration.ofSeconds(6))
            .notifications(false)
            .listenUrl("jdbc:postgresql://direct/service")
            .fsyncRequired(false)
            .build();

    assertThat(config)
        .isEqualTo(
            new DbConfig(
                URL,
                "app",
                TENANT,
                "worker",
                ENGINE,
                1,
                2,
                Duration.ofSeconds(17),
                Duration.ofSeconds(3),
                Duration.ofSeconds(18),
                Duration.ofSeconds(4),
                Duration.ofSeconds(5),
                Duration.ofSeconds(6),
                false,
                "jdbc:postgresql://direct/service",
                false));
  }

  @Test
  void refusesAnotherDatabase() {
    assertThatThrownBy(() -> DbConfig.of("jdbc:mysql://db", TENANT, ENGINE).build())
        .hasMessage("jdbcUrl must start with jdbc:postgresql:, not jdbc:mysql://db");
  }

  @Test
  void refusesALoginInTheUrl() {
    var builder = DbConfig.of("jdbc:postgresql://app:hidden@db/service", TENANT, ENGINE);

    assertThatThrownBy(builder::build)
        .hasMessage(
            "jdbcUrl must have no user before the host, as in jdbc:postgresql://***@db/service");
  }

  @Test
  void refusesAListenUrlThatIsNotPostgres() {
    assertThatThrownBy(() -> builder.listenUrl("redis://db").build())
        .hasMessage("listenUrl must start with jdbc:postgresql:, not redis://db");
  }

  @Test
  void refusesAPoolWithoutConnections() {
    assertThatThrownBy(() -> builder.tenantConnections(0).build())
        .hasMessage("tenantConnections must be 1 to 1000, not 0");
  }

  @Test
  void refusesAPoolThatIsTooLarge() {
    assertThatThrownBy(() -> builder.engineConnections(1_001).build())
        .hasMessage("engineConnections must be 1 to 1000, not 1001");
  }

  @Test
  void refusesALockTimeoutOfZero() {
    assertThatThrownBy(() -> builder.lockTimeout(Duration.ZERO).build())
        .hasMessage("lockTimeout must be 1 ms to 24 days, not PT0S");
  }

  @Test
  void refusesAnIdleTimeoutOutsideThePoolsRange() {
    assertThatThrownBy(() -> builder.idleTimeout(Duration.ofSeconds(9)).build())
        .hasMessage("idleTimeout must be 10 s to 25 min, not PT9S");
    assertThatThrownBy(() -> builder.idleTimeout(Duration.ofMinutes(26)).build())
        .hasMessage("idleTimeout must be 10 s to 25 min, not PT26M");
  }

  @Test
  void refusesAStartTimeoutOutsideTheDriversRange() {
    assertThatThrownBy(() -> builder.startTimeout(Duration.ofMillis(999)).build())
        .hasMessage("startTimeout must be 1000 ms to 24 days, not PT0.999S");
  }

  @Test
  void refusesAStatementTimeoutOutsideTheServersRange() {
    assertThatThrownBy(() -> builder.statementTimeout(Duration.ofDays(30)).build())
        .hasMessage("statementTimeout must be 1 ms to 24 days, not PT720H");
  }

  @Test
  void refusesAConnectTimeoutBelowThePoolsMinimum() {
    assertThatThrownBy(() -> builder.connectTimeout(Duration.ofMillis(100)).build())
        .hasMessage("connectTimeout must be 250 ms to 24 days, not PT0.1S");
  }

  @Test
  void hidesItsPasswords() {
    var url = URL + "?password=hidden";

    assertThat(DbConfig.of(url, new Secret("hidden-1"), new Secret("hidden-2")).build().toString())
        .contains(URL)
        .doesNotContain("hidden");
  }

  @Test
  void isDescribedForOperators() throws IOException {
    var page = Files.readString(Path.of("..", "docs", "operate", "settings.md"));

    assertThat(Stream.of(DbConfig.class.getRecordComponents()).map(RecordComponent::getName))
        .allSatisfy(component -> assertThat(page).contains("| `" + component + "` |"));
  }
}
