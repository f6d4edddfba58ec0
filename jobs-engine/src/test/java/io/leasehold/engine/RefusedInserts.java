package io.leasehold.engine;

import io.leasehold.testkit.TestDatabase;
import java.sql.SQLException;

/**
 * A table that refuses rows with a state of the server's for as long as a test says so.
 *
 * <p>The trigger is there before any engine works, and only its function changes afterwards: to
 * create or to drop a trigger locks the table and its partitions against statements that hold some
 * of them already, which ends in a deadlock now and then.
 */
public final class RefusedInserts {

  private final TestDatabase database;

  private RefusedInserts(TestDatabase database) {
    this.database = database;
  }

  /** Refuses nothing yet. Called once for a database, before anything works on it. */
  public static RefusedInserts into(String table, String condition, TestDatabase database)
      throws SQLException {
    var refused = new RefusedInserts(database);
    refused.execute(
        """
        CREATE SEQUENCE public.refusals;
        GRANT USAGE ON SEQUENCE public.refusals TO PUBLIC;
        """);
    refused.take();
    refused.execute(
        "CREATE TRIGGER refuse BEFORE INSERT ON %s FOR EACH ROW WHEN (%s) EXECUTE FUNCTION public.refuse()"
            .formatted(table, condition));
    return refused;
  }

  public void refuse(String state) throws SQLException {
    does(
        """
        PERFORM nextval('public.refusals');
        RAISE EXCEPTION USING ERRCODE = '%s', MESSAGE = 'as if';
        """
            .formatted(state));
  }

  public void take() throws SQLException {
    does("RETURN NEW;");
  }

  private void does(String body) throws SQLException {
    execute(
        """
        ALTER SEQUENCE public.refusals RESTART;
        CREATE OR REPLACE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS
          $$BEGIN %s END$$
        """
            .formatted(body));
  }

  /** How many rows it has refused: a sequence keeps what was drawn in a transaction that failed. */
  public long count() throws SQLException {
    try (var administrator = database.connectAsAdministrator();
        var statement = administrator.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM public.refusals")) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private void execute(String sql) throws SQLException {
    try (var administrator = database.connectAsAdministrator();
        var statement = administrator.createStatement()) {
      statement.execute(sql);
    }
  }
}
