package io.leasehold.proofs.explore;

import io.leasehold.jobs.JobId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jooq.DSLContext;

/** Puts jobs into the database, and looks at what became of them. */
final class Board implements AutoCloseable {

  private final Connection connection;

  Board(Connection connection) {
    this.connection = connection;
  }

  /** The day of all jobs that are put. */
  static LocalDate day(DSLContext tx) {
    return tx.fetchSingle("SELECT explore.day()").into(LocalDate.class);
  }

  /** Puts a job where it starts, and nothing else. */
  Target put(Start start) throws SQLException {
    try (var statement = connection.prepareStatement("SELECT explore.clean()")) {
      statement.execute();
    }
    return add(start);
  }

  /** Puts another one. */
  Target add(Start start) throws SQLException {
    try (var statement =
        connection.prepareStatement(
            "SELECT id, explore.put(?, id, ?, ?, ?) FROM explore.new_id() AS id")) {
      statement.setObject(1, Target.TENANT.value());
      statement.setObject(2, Target.A.value());
      statement.setObject(3, Target.B.value());
      statement.setString(4, start.word());
      try (var rows = statement.executeQuery()) {
        rows.next();
        return new Target(
            new JobId(rows.getObject(1, UUID.class)), rows.getLong(2), Optional.empty());
      }
    }
  }

  /** Where everything is once the notes that were left are seen to. */
  Found look(Target job) throws SQLException {
    try (var statement = connection.prepareStatement("SELECT explore.settle()")) {
      statement.execute();
    }
    try (var statement = connection.prepareStatement("SELECT * FROM explore.look(?, ?, ?)")) {
      statement.setObject(1, job.id().value());
      statement.setObject(2, Target.A.value());
      statement.setLong(3, job.token());
      try (var rows = statement.executeQuery()) {
        rows.next();
        return new Found(
            rows.getBoolean("known"),
            List.of((String[]) rows.getArray("places").getArray()),
            rows.getInt("attempts"),
            rows.getString("status"),
            rows.getBoolean("is_leased_by_a"),
            rows.getBoolean("is_as_put"),
            rows.getBoolean("ended_by_a"),
            rows.getInt("requests"),
            rows.getInt("belongings"),
            rows.getInt("dangling"),
            rows.getInt("told"),
            rows.getInt("kept"),
            List.of((String[]) rows.getArray("wrong_dependents").getArray()));
      }
    }
  }

  /** What a reader sees of the job's history at this moment; nothing while its day is dropped. */
  Optional<List<String>> history(Target job) throws SQLException {
    try (var statement = connection.prepareStatement("SELECT explore.history(?)")) {
      statement.setObject(1, job.id().value());
      try (var rows = statement.executeQuery()) {
        rows.next();
        return Optional.of(List.of((String[]) rows.getArray(1).getArray()));
      }
    } catch (SQLException e) {
      if (String.valueOf(e.getSQLState()).equals("55P03")) {
        return Optional.empty();
      }
      throw e;
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
