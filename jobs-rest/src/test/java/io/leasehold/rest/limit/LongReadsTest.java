package io.leasehold.rest.limit;

import static io.leasehold.rest.stack.RestStack.ACME;
import static io.leasehold.rest.stack.RestStack.GLOBEX;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.rest.stack.RestStack;
import io.leasehold.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LongReadsTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final int MORE_THAN_CONNECTIONS = 15;
  private static final Duration SOON = Duration.ofSeconds(5);

  static RestStack stack;

  @BeforeAll
  static void start() {
    stack = RestStack.on(database);
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  @Test
  void ofBatchesDelayNoOtherRequest() throws SQLException {
    var batch = stack.batch(ACME, (job, name) -> "done");

    holdUpNobodyElse("/api/v1/batches/" + batch, "leasehold.batch_job");
  }

  @Test
  void ofListsDelayNoOtherRequest() throws SQLException {
    holdUpNobodyElse("/api/v1/jobs?queue=rare", "leasehold.job");
  }

  // What takes seconds where there are many jobs takes as long as the lock is held here.
  private static void holdUpNobodyElse(String path, String table) throws SQLException {
    var acme = stack.client(ACME);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor();
        var administrator = database.connectAsAdministrator()) {
      administrator.setAutoCommit(false);
      execute(administrator, "LOCK TABLE " + table);
      var asked =
          IntStream.range(0, MORE_THAN_CONNECTIONS)
              .mapToObj(i -> threads.submit(() -> acme.get(path).status()))
              .toList();
      await().until(() -> waiting(table) > 0);

      var began = System.nanoTime();
      var status = stack.client(GLOBEX).get("/api/v1/schedules").status();
      var took = Duration.ofNanos(System.nanoTime() - began);
      administrator.rollback();

      assertThat(status).isEqualTo(200);
      assertThat(took).isLessThan(SOON);
      assertThat(asked).allSatisfy(it -> assertThat(it.get()).isIn(200, 429));
    }
    assertThat(acme.get(path).status()).isEqualTo(200);
  }

  private static int waiting(String table) throws SQLException {
    try (var administrator = database.connectAsAdministrator();
        var statement = administrator.createStatement();
        var found =
            statement.executeQuery(
                "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = '%s'::regclass"
                    .formatted(table))) {
      found.next();
      return found.getInt(1);
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
