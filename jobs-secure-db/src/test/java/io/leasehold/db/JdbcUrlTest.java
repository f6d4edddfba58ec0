package io.leasehold.db;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JdbcUrlTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql://db/service?password=hidden",
        "jdbc:postgresql://db/service?user=app&password=hidden&sslmode=require",
        "jdbc:postgresql://db/service?PASSWORD=hidden",
        "jdbc:postgresql://db/service?sslpassword=hidden",
        "jdbc:postgresql://db/service?pass%77ord=hidden",
        "jdbc:postgresql://db/service?password=a&hidden",
        "jdbc:postgresql://db/service?password=a?hidden",
        "jdbc:postgresql://app:hidden@db/service",
        "jdbc:postgresql://app:a@hidden@db:5432/service",
        "jdbc:postgresql://app:a/hidden@db/service",
        "jdbc:postgresql://app:a?hidden@db/service"
      })
  void hidesPasswords(String url) {
    assertThat(JdbcUrl.redacted(url)).startsWith("jdbc:postgresql://").doesNotContain("hidden");
  }

  @Test
  void showsEverythingElse() {
    var url = "jdbc:postgresql://db:5432/service?password=hidden&sslmode=require";

    assertThat(JdbcUrl.redacted(url))
        .isEqualTo("jdbc:postgresql://db:5432/service?password=***&sslmode=require");
  }

  @Test
  void showsAUrlWithoutPasswordAsItIs() {
    var url = "jdbc:postgresql://one:5432,two:5433/service?user=a@b&sslmode=require";

    assertThat(JdbcUrl.redacted(url)).isEqualTo(url);
  }

  @Test
  void hidesPasswordsInMessagesWithTheUrl() {
    var url = "jdbc:postgresql://app:hidden@db/service";

    assertThat(JdbcUrl.redacted(url, "unable to parse " + url))
        .isEqualTo("unable to parse jdbc:postgresql://***@db/service");
  }
}
