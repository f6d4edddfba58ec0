package io.leasehold.engine.service.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.EngineConfig;
import io.leasehold.jobs.HandlerId;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.history.EventCursor;
import io.leasehold.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * With many finished jobs, each shape of a read goes by an index: the very statement that the
 * service sends, as the tenants' role and so under row level security, planned for its values and
 * planned for all. So do the statements of the function in it: all are planned as they are run, and
 * tell how they were.
 *
 * <p>200,000 jobs have the plans of a million.
 */
class ReadPlansTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final int JOBS = 200_000;
  private static final String CORRELATION = "request 1000";

  private static final Pattern SCAN =
      Pattern.compile("Scan.* on (?:job_\\d+|outcome_\\d+|event|attempt) .*\\(actual.*rows=(\\d+)");

  private static final JobFilter NEWEST = JobFilter.newest();

  /** Half of all jobs are the first tenant's, the others share the rest. */
  private static final SecurityContext ONE = SecurityContext.of("ann", tenant(1)).build();

  private static final SecurityContext SMALL = SecurityContext.of("bob", tenant(17)).build();
  private static final SecurityContext SEVERAL =
      SecurityContext.of("ann", tenant(1))
          .reading(IntStream.range(2, 22).mapToObj(ReadPlansTest::tenant).toList())
          .build();

  private static Instant longAgo = Instant.EPOCH;
  private static OpenService service;
  private static Connection administrator;
  private static Connection explaining;
  private static JobId someJob = new JobId(new UUID(0, 0));
  private static JobId putOff = someJob;

  private static TenantId tenant(int n) {
    return new TenantId(new UUID(1, n));
  }

  @BeforeAll
  static void fill() throws SQLException {
    administrator = database.connectAsAdministrator();
    explaining = database.connectAsAdministrator();
    service = OpenService.on(database, EngineConfig.defaults());
    longAgo = Instant.now().minus(Duration.ofDays(5));
    ManyJobs.fill(administrator, JOBS);
    someJob = service.jobs().list(ONE, NEWEST.createdBefore(longAgo)).jobs().getFirst().id();
    ManyJobs.tellOf(administrator, someJob, 10_000);
    putOff = service.jobs().list(ONE, NEWEST.status(JobStatus.QUEUED)).jobs().getFirst().id();
    ManyJobs.putOff(administrator, putOff, 20_000);
  }

  @AfterAll
  static void close() throws SQLException {
    service.close();
    explaining.close();
    administrator.close();
  }

  /** Named, for the report of the tests. */
  record Shape(String name, BiConsumer<JobService, SecurityContext> read) {
    @Override
    public String toString() {
      return name;
    }

    void by(SecurityContext caller) {
      read.accept(service.jobs(), caller);
    }
  }

  private static Shape list(String name, JobFilter filter) {
    return new Shape(name, (jobs, caller) -> jobs.list(caller, filter));
  }

  static Stream<Shape> shapes() {
    var handler = new HandlerId("gts.x.core.jobs.handler.v1~acme.reading.tests.h3.v1");
    var fixed =
        Stream.of(
            new Shape("one job", (jobs, caller) -> jobs.find(caller, someJob)),
            new Shape(
                "the job's history",
                (jobs, caller) -> jobs.events(caller, someJob, EventCursor.BEGIN, 50)),
            new Shape(
                "the job's history, the next page",
                (jobs, caller) -> jobs.events(caller, someJob, new EventCursor(7, 5_000), 50)),
            new Shape("the job's tasks", (jobs, caller) -> jobs.tasks(caller, someJob)),
            new Shape("one that was put off often", (jobs, caller) -> jobs.find(caller, putOff)),
            new Shape(
                "the history of that",
                (jobs, caller) -> jobs.events(caller, putOff, EventCursor.BEGIN, 50)),
            new Shape(
                "the history of that, the next page",
                (jobs, caller) -> jobs.events(caller, putOff, new EventCursor(5_000, 0), 50)),
            new Shape(
                "the job's result", (jobs, caller) -> jobs.result(caller, someJob, Object.class)),
            list("the newest", NEWEST),
            list("the next page", NEWEST.after(someJob)),
            list("of a time", NEWEST.createdAfter(longAgo).createdBefore(longAgo.plusSeconds(9))),
            list("of a handler", NEWEST.handler(handler)),
            list("of a correlation", NEWEST.correlationId(CORRELATION)),
            list(
                "failed of a correlation",
                NEWEST.correlationId(CORRELATION).status(JobStatus.FAILED)),
            list("failed of a handler", NEWEST.status(JobStatus.FAILED).handler(handler)),
            list("failed, the next page", NEWEST.status(JobStatus.FAILED).after(someJob)));
    var ofStatus =
        Arrays.stream(JobStatus.values()).map(status -> list(status.word(), NEWEST.status(status)));
    return Stream.concat(fixed, ofStatus);
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void useAnIndex(Shape shape) throws SQLException {
    for (var caller : List.of(ONE, SMALL, SEVERAL)) {
      var sent = SentStatement.of(() -> shape.by(caller));
      for (var mode : List.of("force_custom_plan", "force_generic_plan")) {
        var plan = explain(sent, caller, mode);

        assertThat(filledTables()).isNotEmpty();
        assertThat(plan)
            .as("%s, %s, %s: %s", shape, caller, mode, String.join("\n", plan))
            .anyMatch(line -> line.contains("Index Scan"))
            .noneMatch(ReadPlansTest::readsAWholeTable)
            .noneMatch(line -> line.contains("Gather") || line.contains("Hash"))
            .noneMatch(ReadPlansTest::readsMoreThanAPage)
            .noneMatch(line -> line.matches(".*Rows Removed by Filter: \\d{5,}.*"));
      }
    }
  }

  // Of each day: else, all of a tenant's jobs were sorted. One more tells whether it is the last;
  // of attempts, one more is where the cursor stands.
  private static boolean readsMoreThanAPage(String line) {
    var scan = SCAN.matcher(line);
    return scan.find() && Integer.parseInt(scan.group(1)) > NEWEST.limit() + 2;
  }

  private static boolean readsAWholeTable(String line) {
    return filledTables().stream().anyMatch(table -> line.contains("Seq Scan on " + table + " "));
  }

  // However a table of a few pages is read, it costs nothing: the partitions of days to come are
  // empty, and the day that the oldest job falls on may have that job alone.
  private static List<String> filledTables() {
    try (var statement = administrator.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT relname FROM pg_class WHERE relname ~"
                    + " '^((job|outcome)_\\d+|event|attempt)$' AND relkind = 'r' AND relpages >"
                    + " 10")) {
      var tables = new ArrayList<String>();
      while (rows.next()) {
        tables.add(rows.getString(1));
      }
      return tables;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  // The server's own module tells the plans of nested statements too, and an administrator loads
  // it.
  private static List<String> explain(SentStatement sent, SecurityContext caller, String mode)
      throws SQLException {
    var readable =
        caller.readableTenants().stream().map(TenantId::toString).collect(Collectors.joining(","));
    explaining.setAutoCommit(false);
    try (var statement = explaining.createStatement()) {
      statement.execute("LOAD 'auto_explain'");
      database.enterTenant(explaining, caller.tenant() + "," + readable);
      statement.execute("SET LOCAL auto_explain.log_nested_statements = on");
      statement.execute("SET LOCAL auto_explain.log_analyze = on");
      statement.execute("SET LOCAL auto_explain.log_timing = off");
      statement.execute("SET LOCAL auto_explain.log_level = notice");
      statement.execute("SET LOCAL plan_cache_mode = " + mode);
      statement.execute("DEALLOCATE ALL");
      statement.execute("PREPARE sent AS " + sent.sql());
      statement.execute("SET LOCAL auto_explain.log_min_duration = 0");
      statement.execute("SET LOCAL ROLE leasehold_tenant");
      statement.clearWarnings();
      var values = sent.values().isEmpty() ? "" : "(" + String.join(", ", sent.values()) + ")";
      statement.execute("EXECUTE sent" + values);
      return told(statement.getWarnings());
    } finally {
      explaining.rollback();
    }
  }

  private static List<String> told(@Nullable SQLWarning first) {
    var plans = new ArrayList<String>();
    for (var told = first; told != null; told = told.getNextWarning()) {
      String.valueOf(told.getMessage()).lines().forEach(plans::add);
    }
    return plans;
  }
}
