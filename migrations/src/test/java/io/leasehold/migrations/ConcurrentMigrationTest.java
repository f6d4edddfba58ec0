package io.leasehold.migrations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ConcurrentMigrationTest {

  @RegisterExtension static final TestServer server = new TestServer();

  @AfterEach
  void drop() throws SQLException {
    try (var session = server.administrator("postgres")) {
      session.run("DROP DATABASE IF EXISTS second WITH (FORCE)");
    }
    server.drop("first");
  }

  @RepeatedTest(5)
  void oneProcessMigratesAndTheOthersFindNothingToDo() throws Exception {
    server.makeDatabase("first");

    var migrations = atOnce("first", "first", "first");

    assertThat(migrations.stream().map(Migration::applied).filter(it -> it > 0)).hasSize(1);
  }

  @RepeatedTest(5)
  void twoDatabasesOfAServerShareTheRoles() throws Exception {
    server.makeDatabase("first");
    server.makeDatabase("second");

    var migrations = atOnce("first", "second");

    assertThat(migrations).extracting(Migration::applied).doesNotContain(0);
  }

  @Test
  void retriesWhenAnotherDatabaseCreatesTheSameRole() throws Exception {
    server.makeDatabase("first");
    try (var other = server.administrator("postgres").begin();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      other.run("CREATE ROLE leasehold_owner LOGIN");
      var migration = threads.submit(() -> migrate("first", new CountDownLatch(1)));
      awaitSession("wait_event_type = 'Lock'");

      other.connection().commit();

      assertThat(migration.get().applied()).isPositive();
    }
  }

  @Test
  void waitsForTheLockBeforeAnyChange() throws Exception {
    server.makeDatabase("first");
    try (var holder = server.administrator("first");
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var lock = MigrationLock.of(holder.connection());
      var migration = threads.submit(() -> migrate("first", new CountDownLatch(1)));
      awaitSession("query LIKE 'SELECT pg_try_advisory_lock%' AND pid <> " + pidOf(holder));
      var roles = holder.ask("SELECT rolname FROM pg_roles WHERE rolname LIKE 'leasehold%'");

      lock.close();

      assertThat(roles).isEmpty();
      assertThat(migration.get().applied()).isPositive();
    }
  }

  private static String pidOf(Session session) throws SQLException {
    return session.ask("SELECT pg_backend_pid()").getFirst();
  }

  private static void awaitSession(String condition) throws SQLException {
    try (var session = server.administrator("postgres")) {
      await()
          .until(
              () -> session.ask("SELECT pid FROM pg_stat_activity WHERE " + condition),
              found -> !found.isEmpty());
    }
  }

  @RepeatedTest(2)
  void twoProcessesStartOnAnEmptyDatabase() throws Exception {
    server.makeDatabase("first");

    var one = startProcess();
    var other = startProcess();
    var printed = List.of(lastLine(one), lastLine(other));

    assertThat(printed).filteredOn("applied 0"::equals).hasSize(1);
    assertThat(printed).allMatch(line -> line.matches("applied [0-9]+"));
  }

  private static Process startProcess() throws IOException {
    var config = server.administratorOf("first");
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            MigrateOnce.class.getName(),
            config.jdbcUrl(),
            config.user(),
            config.password())
        .redirectErrorStream(true)
        .start();
  }

  private static String lastLine(Process process) throws IOException {
    try (var output = process.inputReader()) {
      return output.lines().reduce("nothing", (before, last) -> last);
    }
  }

  private static List<Migration> atOnce(String... databases) throws Exception {
    var start = new CountDownLatch(databases.length);
    var migrations = new ArrayList<Migration>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var running =
          Stream.of(databases).map(name -> threads.submit(() -> migrate(name, start))).toList();
      for (var one : running) {
        migrations.add(one.get());
      }
    }
    return migrations;
  }

  private static Migration migrate(String name, CountDownLatch start) throws Exception {
    var migrator = new Migrator(server.administratorOf(name)).and(TestConfig.ACME);
    start.countDown();
    start.await();
    return migrator.migrate();
  }
}
