package io.leasehold.rest.program;

import static io.leasehold.engine.HandlerBinder.handlerBinder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.inject.Guice;
import com.google.inject.Injector;
import io.leasehold.db.DbConfig;
import io.leasehold.db.Secret;
import io.leasehold.db.SecureDatabase;
import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.JobEngine;
import io.leasehold.rest.RestConfig;
import io.leasehold.rest.RestServer;
import io.leasehold.rest.stack.ApiClient;
import io.leasehold.rest.stack.Works;
import io.leasehold.testkit.TcpProxy;
import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a running program tells of itself over HTTP. */
class EngineReportTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final Duration SOON = Duration.ofSeconds(60);

  private final TcpProxy proxy;
  private final Injector injector;
  private final ApiClient client;

  EngineReportTest() throws IOException {
    proxy = TcpProxy.before(database.jdbcUrl());
    var secret = new Secret(TestDatabase.PASSWORD);
    var db =
        DbConfig.of(proxy.jdbcUrl(), secret, secret)
            .fsyncRequired(false)
            .listenUrl(database.jdbcUrl())
            .connectTimeout(Duration.ofSeconds(1))
            .build();
    injector =
        Guice.createInjector(
            new ServiceModule(db, EngineConfig.defaults(), RestConfig.defaults().port(0), false),
            binder -> handlerBinder(binder).handle(Works.TYPE).with(new Works()));
    injector.getInstance(SecureDatabase.class).start();
    injector.getInstance(JobEngine.class).start();
    client = new ApiClient(injector.getInstance(RestServer.class).start());
    awaitStatus("/readyz", 200);
  }

  @AfterEach
  void stop() throws IOException {
    injector.getInstance(RestServer.class).stop(Duration.ZERO);
    injector.getInstance(JobEngine.class).stop(Duration.ZERO);
    injector.getInstance(SecureDatabase.class).close();
    proxy.close();
  }

  @Test
  void reportsABrokenWorkerAsNotLive() {
    assertThat(client.get("/healthz").word("status")).isEqualTo("up");

    Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("claim works"))
        .forEach(Thread::interrupt);

    awaitStatus("/healthz", 503);
    assertThat(client.get("/healthz").word("status")).isEqualTo("broken");
    assertThat(client.get("/readyz").json().path("components").path("worker").asString())
        .isEqualTo("down");
  }

  @Test
  void reportsAMissingDatabaseAsLive() throws IOException {
    proxy.leadTo("jdbc:postgresql://localhost:1/none");
    proxy.cutAll();

    awaitStatus("/readyz", 503);
    assertThat(client.get("/healthz").status()).isEqualTo(200);
  }

  @Test
  void reportsByHowMuchTheClockWentBack() throws SQLException {
    try {
      execute("UPDATE leasehold.clock SET seen_at = clock_timestamp() + interval '1 h 10 s'");

      await()
          .atMost(SOON)
          .untilAsserted(() -> assertThat(component("clock")).startsWith("went back by 36"));

      assertThat(component("database")).isEqualTo("degraded");
      assertThat(client.get("/readyz").status()).isEqualTo(200);
    } finally {
      execute("UPDATE leasehold.clock SET back_at = NULL, back_by = NULL");
    }
  }

  private String component(String name) {
    return client.get("/readyz").json().path("components").path(name).asString("");
  }

  private static void execute(String sql) throws SQLException {
    try (var administrator = database.connectAsAdministrator();
        var statement = administrator.createStatement()) {
      statement.execute(sql);
    }
  }

  private void awaitStatus(String page, int status) {
    await().atMost(SOON).until(() -> client.get(page).status() == status);
  }
}
