package io.leasehold.engine;

import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** A handler whose work each test gives for its own jobs, by their input. */
final class Works implements JobHandler<String, String> {

  static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();

  private final Map<String, JobHandler<String, String>> works = new ConcurrentHashMap<>();

  /** Gives some work, and answers the input of jobs that do it. */
  String of(JobHandler<String, String> work) {
    var name = UUID.randomUUID().toString();
    works.put(name, work);
    return name;
  }

  @Override
  public String run(JobContext job, String name) throws Exception {
    var work = works.get(name);
    if (work == null) {
      throw new IllegalStateException("no work is named " + name);
    }
    return work.run(job, name);
  }

  /** Asks the database itself. */
  static String ask(TestDatabase database, String sql) {
    try (var connection = database.connectAsAdministrator();
        var statement = connection.createStatement()) {
      if (!statement.execute(sql)) {
        return "";
      }
      var rows = statement.getResultSet();
      return rows.next() ? String.valueOf(rows.getString(1)) : "";
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
