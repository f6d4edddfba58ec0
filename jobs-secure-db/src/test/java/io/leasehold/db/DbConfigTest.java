package io.leasehold.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DbConfigTest {

  private static final String URL = "jdbc:postgresql://db/service";
  private static final Secret TENANT = new Secret("t");
  private static final Secret ENGINE = new Secret("e");

  private final DbConfig.Builder builder = DbConfig.of(URL, TENANT, ENGINE);

  @Test
  void hasDefaultsForAllButTheUrlAndThePasswords() {
    assertThat(builder.build())
        .returns(URL, DbConfig::jdbcUrl)
        .returns("leasehold_tenant", DbConfig::tenantUser)
        .returns(TENANT, DbConfig::tenantPassword)
        .returns("leasehold_engine", DbConfig::engineUser)
        .returns(ENGINE, DbConfig::enginePassword)
        .returns(10, DbConfig::tenantConnections)
        .returns(5, DbConfig::engineConnections)
        .returns(Duration.ofMinutes(2), DbConfig::idleTimeout)
        .returns(Duration.ofSeconds(10), DbConfig::connectTimeout)
        .returns(Duration.ofSeconds(30), DbConfig::startTimeout)
        .returns(Duration.ofSeconds(30), DbConfig::statementTimeout)
        .returns(Duration.ofSeconds(60), DbConfig::transactionTimeout)
        .returns(Duration.ofSeconds(10), DbConfig::lockTimeout)
        .returns(true, DbConfig::notifications)
        .returns(URL, DbConfig::listenUrl)
        .returns(true, DbConfig::fsyncRequired);
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
        .returns("app", DbConfig::tenantUser)
        .returns("worker", DbConfig::engineUser)
        .returns(1, DbConfig::tenantConnections)
        .returns(2, DbConfig::engineConnections)
        .returns(Duration.ofSeconds(17), DbConfig::idleTimeout)
        .returns(Duration.ofSeconds(3), DbConfig::connectTimeout)
        .returns(Duration.ofSeconds(18), DbConfig::startTimeout)
        .returns(Duration.ofSeconds(4), DbConfig::statementTimeout)
        .returns(Duration.ofSeconds(5), DbConfig::transactionTimeout)
        .returns(Duration.ofSeconds(6), DbConfig::lockTimeout)
        .returns(false, DbConfig::notifications)
        .returns("jdbc:postgresql://direct/service", DbConfig::listenUrl)
        .returns(false, DbConfig::fsyncRequired);
  }

  @Test
  void doesNotChangeOnceItIsBuilt() {
    var config = builder.build();

    builder.tenantConnections(1);

    assertThat(config.tenantConnections()).isEqualTo(10);
  }

  @Test
  void refusesAnotherDatabase() {
    assertThatThrownBy(() -> DbConfig.of("jdbc:mysql://db", TENANT, ENGINE))
        .hasMessage("jdbcUrl must start with jdbc:postgresql:, not jdbc:mysql://db");
  }

  @Test
  void refusesALoginInTheUrl() {
    var url = "jdbc:postgresql://app:hidden@db/service";

    assertThatThrownBy(() -> DbConfig.of(url, TENANT, ENGINE))
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

    assertThat(DbConfig.class.getDeclaredFields())
        .filteredOn(field -> !Modifier.isStatic(field.getModifiers()))
        .extracting(Field::getName)
        .allSatisfy(setting -> assertThat(page).contains("| `" + setting + "` |"));
  }
}
