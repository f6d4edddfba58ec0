package io.leasehold.engine.maintenance.dependencies;

import static io.leasehold.engine.maintenance.TestQueue.TENANT;
import static io.leasehold.engine.maintenance.TestQueue.today;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.maintenance.TestQueue;
import io.leasehold.engine.maintenance.dependencies.SettleNotes.Settled;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettleNotesTest {

  @RegisterExtension static final TestQueue queue = new TestQueue();

  private static final int AT_ONCE = 1_000;

  private static Settled settle() {
    return queue.transactions().asEngine(tx -> SettleNotes.settle(tx, AT_ONCE));
  }

  private static void note(String what, UUID id, int times) throws SQLException {
    queue.run(
        """
        INSERT INTO leasehold.dependency_note (tenant_id, what, ids, due_at)
        SELECT ?, ?, ARRAY[?], now() - place * interval '1 ms' FROM generate_series(1, ?) AS place\
        """,
        TENANT,
        what,
        id,
        times);
  }

  private static void wait(UUID id, UUID on) throws SQLException {
    queue.run("INSERT INTO leasehold.dependency VALUES (?, ?, ?, false, 'unmet')", TENANT, id, on);
  }

  private static long count(String table) throws SQLException {
    return (Long) queue.ask("SELECT count(*) FROM leasehold." + table).getFirst();
  }

  @Test
  void settlesAThousandNotesAtOnce() throws SQLException {
    note("ended", queue.ready(today()), 2_500);

    assertThat(settle().any()).isTrue();

    assertThat(count("dependency_note")).isEqualTo(1_500);
  }

  @Test
  void settlesNotesOfAboutAThousandJobsAtOnce() throws SQLException {
    for (int i = 0; i < 3; i++) {
      queue.run(
          """
          INSERT INTO leasehold.dependency_note (tenant_id, what, ids, due_at)
          SELECT ?, 'changed', array_agg(gen_random_uuid()), now() FROM generate_series(1, 600)\
          """,
          TENANT);
    }

    assertThat(settle().changed()).hasSize(1_200);

    assertThat(count("dependency_note")).isEqualTo(1);
  }

  /** The transaction that ends a job releases some of its dependents; the rest is due at once. */
  @Test
  void releasesAThousandJobsAtOnceAndTheRestNext() throws SQLException {
    var first = queue.job(today());
    addDependents(1_100);

    end(first, "succeeded");

    assertThat(count("ready")).isEqualTo(1_000);
    settleAll();
    assertThat(count("ready")).isEqualTo(1_100);
  }

  @Test
  void failsAThousandJobsAtOnceAndThoseThatWaitForTheseNext() throws SQLException {
    var first = queue.job(today());
    addDependents(1_000);
    addDependents(1);

    end(first, "failed");

    assertThat(count("outcome")).isEqualTo(1_001);
    settleAll();
    assertThat(count("outcome")).isEqualTo(2_001);
  }

  /** Adds {@code each} dependents to each job that has none. */
  private static void addDependents(int each) throws SQLException {
    queue.run(
        """
        WITH dependent AS MATERIALIZED (
          SELECT awaited.tenant_id, awaited.id AS on_id, leasehold.new_id() AS id
          FROM leasehold.job AS awaited, generate_series(1, ?)
          WHERE NOT EXISTS (SELECT FROM leasehold.dependency WHERE on_id = awaited.id)),
        stored AS (
          INSERT INTO leasehold.job (tenant_id, id, handler_id, input, queue, priority,
            max_attempts, principal)
          SELECT tenant_id, id, 'handler', '{}', 'default', 0, 3, 'ann' FROM dependent),
        waits AS (
          INSERT INTO leasehold.dependency
          SELECT tenant_id, id, on_id, false, 'unmet' FROM dependent)
        INSERT INTO leasehold.waiting (tenant_id, id, queue, priority, attempts, available_at)
        SELECT tenant_id, id, 'default', 0, 0, now() FROM dependent\
        """,
        each);
  }

  private static void end(UUID id, String status) throws SQLException {
    queue.run(
        """
        INSERT INTO leasehold.outcome (tenant_id, id, status, finished_at, attempts)
        VALUES (?, ?, ?, now(), 1)\
        """,
        TENANT,
        id,
        status);
  }

  private static void settleAll() {
    while (settle().any()) {
      // Until nothing is left.
    }
  }

  /** As on a busy server, or on one that compiles the statement each time. */
  @Test
  void settlesHoweverSlowlyTheNotesAreFound() throws SQLException {
    var ended = queue.job(today());
    queue.run(
        """
        INSERT INTO leasehold.outcome (tenant_id, id, status, finished_at, attempts)
        VALUES (?, ?, 'succeeded', now(), 1)\
        """,
        TENANT,
        ended);
    var dependent = queue.waiting(today());
    wait(dependent, ended);
    note("ended", ended, 1);
    queue.run(
        """
        CREATE FUNCTION public.take_long() RETURNS trigger LANGUAGE plpgsql AS
          'BEGIN PERFORM pg_sleep(0.3); RETURN NULL; END'\
        """);
    queue.run(
        """
        CREATE TRIGGER slow BEFORE DELETE ON leasehold.dependency_note
          FOR EACH STATEMENT EXECUTE FUNCTION public.take_long()\
        """);

    settle();
    queue.run("DROP TRIGGER slow ON leasehold.dependency_note");

    assertThat(queue.traces(dependent)).containsKey("ready");
  }

  /** As after the database's clock went back by an hour. */
  @Test
  void settlesANoteFromBeforeTheClockWentBack() throws SQLException {
    note("changed", queue.ready(today()), 1);
    queue.run("UPDATE leasehold.dependency_note SET due_at = now() + interval '1 h'");

    assertThat(settle().changed()).hasSize(1);
  }

  @Test
  void leavesANoteThatIsNotDue() throws SQLException {
    note("changed", queue.ready(today()), 1);
    queue.run("UPDATE leasehold.dependency_note SET due_at = now() + interval '1 s'");

    assertThat(settle().any()).isFalse();
  }

  /** It was submitted before the clock went back, and what it waited for ended after. */
  @Test
  void releasesAJobSubmittedBeforeTheClockWentBack() throws SQLException {
    var dependent = queue.waiting(today());
    note("waiting", dependent, 1);
    queue.run(
        "UPDATE leasehold.waiting SET written_at = now() + interval '1 h',"
            + " available_at = now() + interval '1 h'");

    settle();

    assertThat(queue.traces(dependent)).containsKey("ready");
  }

  @Test
  void releasesADelayedJobAfterItsDelayThoughTheClockWentBack() throws SQLException {
    var dependent = queue.waiting(today());
    note("waiting", dependent, 1);
    queue.run(
        "UPDATE leasehold.waiting SET written_at = now() + interval '1 h',"
            + " available_at = now() + interval '1 h 30 s'");

    settle();

    assertThat(queue.traces(dependent)).containsKey("scheduled");
    assertThat(queue.ask("SELECT available_at < now() + interval '31 s' FROM leasehold.scheduled"))
        .containsExactly(true);
  }

  @Test
  void mergesTheNotesOfManyForAJob() throws SQLException {
    var waiting = queue.waiting(today());
    note("waiting", waiting, 500);
    try (var other = queue.asEngine()) {
      TestQueue.ask(other, "SELECT id FROM leasehold.waiting FOR UPDATE");

      settle();

      assertThat(count("dependency_note")).isEqualTo(1);
      assertThat(settle().any()).isFalse();
    }
  }

  @Test
  void reportsEachChangedJobOnce() throws SQLException {
    var id = queue.ready(today());
    note("changed", id, 3);
    queue.run("UPDATE leasehold.dependency_note SET queues = ARRAY['default']");

    var settled = settle();

    assertThat(settled.changed()).extracting(job -> job.value()).containsExactly(id);
    assertThat(settled.queues()).containsExactly("default");
    assertThat(count("dependency_note")).isZero();
  }

  /** The transaction that ends the job may have looked for dependents before there was one. */
  @ParameterizedTest
  @ValueSource(strings = {"lease", "ready", "scheduled", "waiting"})
  void keepsTheNoteOfAJobThatIsBeingEnded(String state) throws SQLException {
    var one = in(state);
    var last = queue.job(today());
    try (var other = queue.asEngine();
        var end = other.createStatement()) {
      end.execute("DELETE FROM leasehold.%s WHERE id = '%s'".formatted(state, one));
      end.execute(
          "INSERT INTO leasehold.outcome (tenant_id, id, status, finished_at, attempts)"
              + " VALUES ('%s', '%s', 'succeeded', now(), 1)".formatted(TENANT, one));
      queue.run(
          "INSERT INTO leasehold.waiting VALUES (?, ?, 'default', 0, 0, now())", TENANT, last);
      wait(last, one);
      note("ended", one, 1);

      settle();
      other.commit();
    }

    queue.run("UPDATE leasehold.dependency_note SET due_at = now()");
    settle();
    assertThat(queue.traces(last)).containsKey("ready");
  }

  private static UUID in(String state) throws SQLException {
    return switch (state) {
      case "lease" -> queue.leased(today(), UUID.randomUUID(), 1, "requeue", 60);
      case "ready" -> queue.ready(today());
      case "scheduled" -> queue.scheduled(today(), 60_000);
      default -> queue.waiting(today());
    };
  }

  /** The transaction that ends the first job fails only a part of the chain. */
  @Test
  void failsALongChainInParts() throws SQLException {
    var first = queue.job(today());
    var before = first;
    for (int i = 0; i < 120; i++) {
      var next = queue.waiting(today());
      wait(next, before);
      before = next;
    }

    queue.run(
        """
        INSERT INTO leasehold.outcome (tenant_id, id, status, finished_at, attempts)
        VALUES (?, ?, 'failed', now(), 1)\
        """,
        TENANT,
        first);

    assertThat(count("outcome")).isEqualTo(101);
    while (settle().any()) {
      // Until nothing is left.
    }
    assertThat(count("outcome")).isEqualTo(121);
    assertThat(count("waiting")).isZero();
  }

  /** As a module's own trigger does that cancels a job. */
  @Test
  void failsDependentsOfAJobThatATriggerEnds() throws SQLException {
    var first = queue.job(today());
    wait(queue.waiting(today()), first);
    queue.run("CREATE TABLE public.done (id uuid)");
    queue.run(
        """
        CREATE FUNCTION public.end_job() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO leasehold.outcome (tenant_id, id, status, finished_at, attempts)
          VALUES ('%s', NEW.id, 'cancelled', now(), 0);
          RETURN NULL;
        END $$\
        """
            .formatted(TENANT));
    queue.run(
        "CREATE TRIGGER end_job AFTER INSERT ON public.done"
            + " FOR EACH ROW EXECUTE FUNCTION public.end_job()");

    queue.run("INSERT INTO public.done VALUES (?)", first);

    assertThat(count("waiting")).isZero();
    queue.run("DROP TABLE public.done");
    queue.run("DROP FUNCTION public.end_job");
  }
}
