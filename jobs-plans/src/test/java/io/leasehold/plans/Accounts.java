package io.leasehold.plans;

import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * A plan that shows in its state if anything is done twice, or not from where it should begin. Says
 * on its process's output what it does, and in a file what it begins.
 */
final class Accounts implements TaskPlan<String, String, PostgresServer> {

  static final JobType<String, String> TYPE =
      JobType.restartable(
              "gts.x.core.jobs.handler.v1~acme.tests.plans.accounts.v1", String.class, String.class)
          .queue("plans")
          .retry(RetryPolicy.exponential(100).first(Duration.ofMillis(10)));

  /** The last line that is printed for a job, if no worker is killed. */
  static final String LAST = "behind sum";

  private static final List<String> SCRIPTS =
      List.of(
          """
          CREATE TABLE account (id serial PRIMARY KEY, balance int NOT NULL);
          SELECT pg_sleep(0.1);
          CREATE TABLE done (n serial, what text NOT NULL);
          """,
          """
          INSERT INTO account (balance) SELECT i FROM generate_series(1, 2000) AS i;
          SELECT pg_sleep(0.2);
          INSERT INTO done (what) VALUES ('loaded');
          """,
          """
          UPDATE account SET balance = 2 * balance;
          SELECT pg_sleep(0.2);
          INSERT INTO done (what) SELECT 'doubled to ' || sum(balance) FROM account;
          """,
          """
          DELETE FROM account WHERE id % 3 = (SELECT count(*) FROM done) % 3;
          SELECT pg_sleep(0.2);
          INSERT INTO done (what) SELECT 'thinned to ' || count(*) FROM account;
          """,
          """
          INSERT INTO account (balance) SELECT balance FROM account WHERE balance > 3000;
          SELECT pg_sleep(0.1);
          CREATE INDEX account_by_balance ON account (balance, id);
          INSERT INTO done (what) SELECT 'grown to ' || count(*) FROM account;
          """);

  private final Path folder;

  /**
   * Of one folder.
   *
   * @param folder where the scripts are, and what was begun is written down
   */
  Accounts(Path folder) {
    this.folder = folder;
  }

  static Path begun(Path folder, String job) {
    return folder.resolve("begun-" + job);
  }

  /** Writes the scripts. */
  static void prepare(Path folder) throws IOException {
    for (var i = 0; i < SCRIPTS.size(); i++) {
      Files.writeString(folder.resolve(i + ".sql"), SCRIPTS.get(i));
    }
  }

  @Override
  public List<Task<PostgresServer, ?>> tasks(String input) {
    System.out.println("begun");
    return Stream.<Task<PostgresServer, ?>>of(
            SqlFile.task("schema", folder.resolve("0.sql")),
            SqlFile.task("load", folder.resolve("1.sql")),
            Task.<PostgresServer, String>of("word", String.class, _ -> input).outside(),
            SqlFile.task("double", folder.resolve("2.sql")),
            SqlFile.task("thin", folder.resolve("3.sql")),
            SqlFile.task("grow", folder.resolve("4.sql")),
            Task.<PostgresServer, String>of(
                "sum", String.class, task -> task.state().ask("SELECT sum(balance) FROM account")))
        .<Task<PostgresServer, ?>>map(this::traced)
        .toList();
  }

  private <O> Task<PostgresServer, O> traced(Task<PostgresServer, O> task) {
    return new Task<>(
        task.id(),
        task.input(),
        task.output(),
        task.isInState(),
        context -> {
          Files.writeString(
              begun(folder, context.job().toString()),
              "%d %s%n".formatted(context.attempt(), task.id()),
              StandardOpenOption.CREATE,
              StandardOpenOption.APPEND);
          System.out.println("in " + task.id());
          var output = task.work().run(context);
          System.out.println("behind " + task.id());
          return output;
        });
  }

  @Override
  public String result(String input, TaskOutputs outputs) {
    return outputs.of("word", String.class) + " " + outputs.of("sum", String.class);
  }
}
