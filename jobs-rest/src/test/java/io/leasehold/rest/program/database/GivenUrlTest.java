package io.leasehold.rest.program.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GivenUrlTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql:name",
        "jdbc:postgresql:/",
        "jdbc:postgresql://host/name",
        "jdbc:postgresql://host:65535/name?user=me@host",
        "jdbc:postgresql://[::1]:5432/name",
        "jdbc:postgresql://[::1]/name",
        "jdbc:postgresql://one:1,two,three:3/name?targetServerType=primary"
      })
  void isUsedUnchanged(String url) {
    assertThat(GivenUrl.checked("it", url)).isEqualTo(url);
  }

  @ParameterizedTest
  @CsvSource({
    "jdbc:postgresql://host:99999/name, 99999",
    "jdbc:postgresql://host:0/name, 0",
    "'jdbc:postgresql://one:1,two:65536', 65536",
    "jdbc:postgresql://[::1]:70000/name, 70000"
  })
  void isRefusedWithAnInvalidPort(String url, String port) {
    assertThatThrownBy(() -> GivenUrl.checked("it", url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the port of it must be 1 to 65535, not " + port);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:h2:mem:?password=sesame",
        "postgresql://me:sesame@host/name",
        "postgresql://me:open?sesame@host/name",
        "jdbc:postgresql://me:sesame@host/name",
        "jdbc:postgresql://me:sesame/open@host/name",
        "jdbc:postgresql://host:port/name?password=sesame",
      })
  void refusalDoesNotShowThePassword(String url) {
    assertThatThrownBy(() -> GivenUrl.checked("it", url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("sesame");
  }
}
