package io.leasehold.engine.time.schedules;

import com.google.inject.Module;
import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.metrics.Measuring;
import io.leasehold.engine.service.query.OpenService;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.schedules.ScheduleRequest;
import io.leasehold.jobs.schedules.Schedules;
import io.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** A process that fires schedules when it is told to. Nothing works on their jobs. */
final class Firing implements AutoCloseable {

  static final JobType<Object, Object> REPORT =
      JobType.restartable(
              "gts.x.core.jobs.handler.v1~acme.tests.cron.report.v1", Object.class, Object.class)
          .queue("reports");

  private final OpenService service;
  private final FireSchedule fireSchedule;
  private final FireInTime fireInTime;

  private Firing(OpenService service) {
    this.service = service;
    var meters = Measuring.unrecorded();
    var random = new Random();
    this.fireSchedule = new FireSchedule(service.transactions(), service.jobs(), random, meters);
    this.fireInTime = new FireInTime(service.transactions(), fireSchedule, meters, random);
  }

  /** One of several on a test's database. */
  static Firing on(TestDatabase database, Module... modules) {
    return new Firing(OpenService.on(database, EngineConfig.defaults(), modules));
  }

  /** A schedule of reports, which has no slot soon. */
  static ScheduleRequest seldom(String name) {
    return ScheduleRequest.of(name, "@yearly", REPORT.request("of the year"));
  }

  Schedules schedules() {
    return service.schedules();
  }

  OpenService service() {
    return service;
  }

  JobService jobs() {
    return service.jobs();
  }

  /** Fires all that are due. */
  void fire() {
    fireInTime.fire();
  }

  /** Has those go on that are ahead of the database's clock. */
  void heal() {
    fireInTime.heal();
  }

  /** Fires what it saw; answers whether it did. */
  boolean fire(DueSchedule due) {
    return fireSchedule.fire(due);
  }

  /** What it sees to be due. */
  List<DueSchedule> due() {
    return service
        .transactions()
        .asEngine(
            tx ->
                FindDue.load(
                    tx,
                    FindDue.places(tx, Optional.empty(), 1_000).stream()
                        .map(FindDue.Place::which)
                        .toList()))
        .due();
  }

  /** Asks the database itself. */
  static List<String> ask(TestDatabase database, String sql) {
    try (var connection = database.connectAsAdministrator();
        var statement = connection.createStatement()) {
      var strings = new ArrayList<String>();
      if (statement.execute(sql)) {
        var rows = statement.getResultSet();
        while (rows.next()) {
          strings.add(String.valueOf(rows.getString(1)));
        }
      }
      return strings;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** Says when the next slot of a schedule is, as in {@code now() - interval '1 h'}. */
  static void moveNext(TestDatabase database, String name, String time) {
    ask(
        database,
        "UPDATE leasehold.schedule SET next_at = %s WHERE name = '%s'".formatted(time, name));
  }

  @Override
  public void close() {
    service.close();
  }
}
