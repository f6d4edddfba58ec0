package io.leasehold.db.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.db.Acme;
import io.leasehold.db.DbConfig;
import io.leasehold.db.Finding;
import io.leasehold.db.Secret;
import io.leasehold.testkit.TcpProxy;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class NoConnectionTest {

  @RegisterExtension static final Acme acme = new Acme();

  @Test
  void reportsAnEmptyPasswordAsARefusedLogin() {
    var found = find(acme.config().jdbcUrl(), new Secret(""));

    assertThat(found).extracting(Finding::rule).containsOnly("login");
    assertThat(found).extracting(Finding::problem).allMatch(text -> text.contains("password"));
  }

  @Test
  void hidesThePasswordOfTheUrl() {
    var refused = find(acme.config().jdbcUrl() + "?password=hidden", new Secret("wrong"));
    var unreachable =
        find("jdbc:postgresql://localhost:1/service?password=hidden", new Secret("x"));

    assertThat(refused).isNotEmpty().noneMatch(finding -> finding.inWords().contains("hidden"));
    assertThat(unreachable).isNotEmpty().noneMatch(finding -> finding.inWords().contains("hidden"));
  }

  /** As one that is under load, or behind a network that drops what it is given. */
  @Test
  void namesTheTimeoutAndItsSetting() throws IOException {
    try (var proxy = TcpProxy.before(acme.config().jdbcUrl())) {
      proxy.fallSilent();
      var password = new Secret("x");
      var config =
          DbConfig.of(proxy.jdbcUrl(), password, password)
              .startTimeout(Duration.ofSeconds(1))
              .build();

      var found = VerifyDatabase.verify(config).findings();

      assertThat(found).extracting(Finding::rule).containsOnly("slow");
      assertThat(found.getFirst().inWords())
          .contains("did not answer in time: waited 1 s")
          .contains("startTimeout (setting leasehold.start-timeout, now 1 s)");
    }
  }

  private static List<Finding> find(String url, Secret password) {
    var config = DbConfig.of(url, password, password).fsyncRequired(false).build();
    return VerifyDatabase.verify(config).findings();
  }
}
