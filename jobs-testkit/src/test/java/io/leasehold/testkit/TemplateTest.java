package io.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.embedded.EmbeddedServer;
import io.leasehold.migrations.MigrationException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class TemplateTest {

  private static final EmbeddedServer server = EmbeddedServer.temporary(Map.of());

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void copyTakesATenthOfTheTimeOfMigrating() throws SQLException {
    var begun = System.nanoTime();
    try (var template = Template.on(given())) {
      var migrating = Duration.ofNanos(System.nanoTime() - begun);

      var times = IntStream.range(0, 10).mapToObj(it -> timeOfCopy(template)).sorted().toList();

      // The least of them is what it costs; the others also wait for whatever else the machine
      // does.
      assertThat(times.getFirst()).isLessThan(migrating.dividedBy(10));
    }
  }

  @Test
  void sharesAServerWithOtherRuns() {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var runs =
          IntStream.range(0, 3)
              .mapToObj(it -> CompletableFuture.supplyAsync(TemplateTest::copiesOfARun, threads))
              .toList();

      var names = runs.stream().map(CompletableFuture::join).flatMap(List::stream).toList();

      assertThat(names).hasSize(6).doesNotHaveDuplicates();
    }
  }

  @Test
  void leavesNothingBehind() throws SQLException {
    var before = databases();

    try (var template = Template.on(given())) {
      template.copy();
    }

    assertThat(databases()).isEqualTo(before);
  }

  @Test
  void leavesNothingBehindIfTheMigrationFails() throws SQLException {
    var before = databases();
    createUser("builder");

    assertThatThrownBy(() -> Template.on(given("builder"))).isInstanceOf(MigrationException.class);

    assertThat(databases()).isEqualTo(before);
  }

  private static void createUser(String name) throws SQLException {
    try (var connection = given().connect("postgres");
        var statement = connection.createStatement()) {
      statement.execute(
          "CREATE ROLE %s LOGIN CREATEDB PASSWORD '%s'".formatted(name, server.password()));
    }
  }

  private static Duration timeOfCopy(Template template) {
    try {
      var start = System.nanoTime();
      template.copy();
      return Duration.ofNanos(System.nanoTime() - start);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> copiesOfARun() {
    try (var template = Template.on(given())) {
      return List.of(template.copy(), template.copy());
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> databases() throws SQLException {
    try (var connection = given().connect("postgres");
        var statement = connection.createStatement();
        var rows = statement.executeQuery("SELECT datname FROM pg_database ORDER BY 1")) {
      var names = new ArrayList<String>();
      while (rows.next()) {
        names.add(rows.getString(1));
      }
      return names;
    }
  }

  private static TestServer given() {
    return given(EmbeddedServer.SUPERUSER);
  }

  private static TestServer given(String user) {
    return TestServer.at(
        "a given server", server.jdbcUrl("postgres"), user, server.password(), () -> {});
  }
}
