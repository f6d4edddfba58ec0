package io.leasehold.migrations;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
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
  void oneMigratesAndTheOthersFindItDone() throws Exception {
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
