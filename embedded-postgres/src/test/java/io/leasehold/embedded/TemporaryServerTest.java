package io.leasehold.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TemporaryServerTest {

  private static final EmbeddedServer server = EmbeddedServer.temporary(Map.of("work_mem", "5MB"));

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "fsync, off",
    "full_page_writes, on",
    "synchronous_commit, on",
    "password_encryption, scram-sha-256",
    "listen_addresses, localhost",
    "work_mem, 5MB",
  })
  void isSetUp(String setting, String value) throws SQLException {
    assertThat(new Sql(server).answer("SHOW " + setting)).isEqualTo(value);
  }

  @Test
  void refusesLoginsWithoutThePassword() {
    assertThatThrownBy(
            () ->
                DriverManager.getConnection(
                    server.jdbcUrl("postgres"), EmbeddedServer.SUPERUSER, "wrong"))
        .hasMessageContaining("password authentication failed");
  }

  @Test
  void leavesNothingBehind() throws SQLException {
    var other = EmbeddedServer.temporary(Map.of());
    var data = Path.of(new Sql(other).answer("SHOW data_directory"));
    assertThat(data).exists();

    other.close();

    assertThat(Files.exists(data.getParent())).isFalse();
  }
}
