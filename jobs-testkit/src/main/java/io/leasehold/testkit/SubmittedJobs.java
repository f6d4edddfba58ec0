package io.leasehold.testkit;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.TenantId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.json.JsonMapper;

/** The jobs of all tenants in a test's database, with their inputs, which only this class reads. */
final class SubmittedJobs {

  private final TestDatabase database;
  private final JsonMapper json = JsonMapper.builder().build();

  SubmittedJobs(TestDatabase database) {
    this.database = database;
  }

  <I> List<SubmittedJob<I>> of(JobType<I, ?> type) {
    try (var connection = database.connectAsAdministrator();
        var statement = connection.prepareStatement(read("submitted.sql"))) {
      statement.setString(1, type.handler().value());
      try (var rows = statement.executeQuery()) {
        var all = new ArrayList<SubmittedJob<I>>();
        while (rows.next()) {
          all.add(job(rows, type));
        }
        return all;
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the test's database cannot be read", e);
    }
  }

  private <I> SubmittedJob<I> job(ResultSet row, JobType<I, ?> type) throws SQLException {
    var stored = row.getString("metadata");
    var metadata = stored == null ? Map.<String, String>of() : KeptMetadata.of(stored);
    return new SubmittedJob<>(
        new JobId(row.getObject("id", UUID.class)),
        new TenantId(row.getObject("tenant_id", UUID.class)),
        json.readValue(row.getString("input"), type.input()),
        Optional.ofNullable(row.getString("key")),
        row.getInt("priority"),
        Duration.ofMillis(Math.round(row.getDouble("due_in") * 1_000)),
        KeptMetadata.texts(metadata),
        metadata);
  }

  void moveTime(JobId id, Duration by) {
    try (var connection = database.connectAsAdministrator();
        var statement = connection.prepareStatement(read("move_time.sql"))) {
      var millis = by.toMillis();
      statement.setLong(1, millis);
      statement.setObject(2, id.value());
      for (int i = 3; i <= 5; i++) {
        statement.setLong(i, millis);
      }
      statement.setObject(6, id.value());
      statement.setLong(7, millis);
      statement.setLong(8, millis);
      statement.setObject(9, id.value());
      try (var moved = statement.executeQuery()) {
        if (!moved.next()) {
          throw new IllegalArgumentException("job %s has no time to move".formatted(id));
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the times of job %s cannot be moved".formatted(id), e);
    }
  }

  private static String read(String script) {
    try (var in = Objects.requireNonNull(SubmittedJobs.class.getResourceAsStream(script), script)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
