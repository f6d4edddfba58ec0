package io.leasehold.engine.isolation;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.EngineHealth;
import io.leasehold.engine.RunningEngine;
import io.leasehold.jobs.Cancellation;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.schedules.ScheduleRequest;
import io.leasehold.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * One tenant calls all functions that the tenants' role may execute, as the catalogue has them,
 * with arguments that no caller means. Another tenant's jobs begin as soon as before, its schedule
 * fires, its lists and cancels answer, and its rows stay as they are.
 *
 * <p>A seed is taken from the property {@code leasehold.seed}, and printed.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class GarbageCallsTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final boolean FULL = "full".equals(System.getProperty("leasehold.proof"));
  private static final int CALLS = FULL ? 5_000 : 400;
  private static final int HUGE_MOST = FULL ? 6 : 1;
  private static final int SESSIONS = 2;
  private static final int SLOTS = 4;
  private static final int PICK_UPS = 100;

  /** A call that takes longer spins. The slowest call first makes a text of 200 MB. */
  private static final Duration SPINS = Duration.ofSeconds(60);

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String CANCELLED_BY_THE_TIME_LIMIT = "57014";
  private static final String DONE = "00000";
  private static final Set<String> NO_CALL = Set.of("42601", "42703", "42725", "42883", "42846");
  private static final String RENDEZVOUS = "rendezvous";

  private static final TenantId HOSTILE = new TenantId(new UUID(8, 1));
  private static final TenantId BYSTANDER = new TenantId(new UUID(8, 2));
  private static final SecurityContext VICTIM =
      SecurityContext.of("ann", new TenantId(new UUID(8, 3))).build();

  private final long seed = Long.getLong("leasehold.seed", System.nanoTime());
  private final Map<String, Long> begun = new ConcurrentHashMap<>();
  private final Map<String, Integer> states = new ConcurrentSkipListMap<>();
  private final CyclicBarrier allSlots = new CyclicBarrier(SLOTS);

  private RunningEngine engine;
  private Connection administrator;
  private Victim bystander;

  /** A function that the role may call, and the names and types of its parameters. */
  private record Callable(String name, List<String> names, List<String> types) {

    String call(Garbage garbage) {
      return IntStream.range(0, types.size())
          .mapToObj(i -> garbage.value(names.get(i), types.get(i)))
          .collect(
              Collectors.joining(", ", "SELECT * FROM leasehold.%s(".formatted(name), ") AS x"));
    }
  }

  @BeforeEach
  void start(TestReporter reporter) throws SQLException {
    reporter.publishEntry("leasehold.seed", Long.toString(seed));
    administrator = database.connectAsAdministrator();
    bystander = Victim.of(administrator, BYSTANDER);
    Victim.of(administrator, HOSTILE);
    engine =
        RunningEngine.on(
            database,
            EngineConfig.defaults().concurrency(SLOTS).pollEvery(Duration.ofMillis(50)),
            new EchoHandler(
                (job, input) -> {
                  begun.put(input, System.nanoTime());
                  if (input.startsWith(RENDEZVOUS)) {
                    allSlots.await(30, TimeUnit.SECONDS);
                  }
                  return input;
                }));
  }

  @AfterEach
  void stop() throws SQLException {
    engine.close();
    administrator.close();
  }

  private List<Callable> callable() throws SQLException {
    return bystander
        .strings(
            """
            SELECT concat_ws(' ', proname,
              (SELECT string_agg(coalesce(proargnames[place], 'nameless') || ':' || parameter::regtype::text,
                ';' ORDER BY place)
              FROM unnest(proargtypes) WITH ORDINALITY AS parameters (parameter, place)))
            FROM pg_proc WHERE pronamespace = 'leasehold'::regnamespace AND prokind = 'f'
              AND has_function_privilege('leasehold_tenant', oid, 'EXECUTE')
            ORDER BY oid
            """)
        .stream()
        .map(GarbageCallsTest::callable)
        .toList();
  }

  private static Callable callable(String text) {
    var parts = text.split(" ", 2);
    var parameters = parts.length == 1 ? List.<String[]>of() : split(parts[1].split(";", -1));
    return new Callable(
        parts[0],
        parameters.stream().map(parameter -> parameter[0]).toList(),
        parameters.stream().map(parameter -> parameter[1]).toList());
  }

  private static List<String[]> split(String[] parameters) {
    var split = new ArrayList<String[]>();
    for (var parameter : parameters) {
      split.add(parameter.split(":", 2));
    }
    return split;
  }

  /** All that an attacker could have come by. */
  private List<String> knownIds() throws SQLException {
    var ids = new ArrayList<>(List.of(BYSTANDER.toString(), HOSTILE.toString()));
    bystander.jobs().forEach(id -> ids.add(id.toString()));
    ids.addAll(bystander.strings("SELECT id FROM leasehold.worker"));
    ids.addAll(bystander.strings("SELECT worker_id FROM leasehold.lease"));
    ids.addAll(
        bystander.strings(
            "SELECT id FROM leasehold.job WHERE tenant_id = '%s'".formatted(HOSTILE)));
    return ids;
  }

  @Test
  void garbageCallsDoNotAffectAnotherTenant(TestReporter reporter) throws Exception {
    var functions = callable();
    var kept = submitted(3, "kept");
    kept.forEach(this::awaitSuccess);
    var request =
        ScheduleRequest.of("every-second", "* * * * * *", EchoHandler.ECHO.request("tick"));
    engine.schedules().put(VICTIM, request);
    var before = pickUps("before");
    var rows = bystander.rows();

    var calling = new ArrayList<FutureTask<List<String>>>();
    for (var i = 0; i < SESSIONS; i++) {
      calling.add(calling(functions, new Random(seed + i)));
    }
    var during = new ArrayList<Long>();
    while (!calling.stream().allMatch(FutureTask::isDone)) {
      during.addAll(pickUps("during " + during.size(), 1));
      assertThat(engine.jobs().list(VICTIM, JobFilter.newest().limit(200)).jobs()).isNotEmpty();
    }
    var ended = Instant.now();
    var spun = new ArrayList<String>();
    for (var session : calling) {
      spun.addAll(session.get());
    }

    reporter.publishEntry("answers, by SQLSTATE", states.toString());
    assertThat(spun).as("calls that spin").isEmpty();
    assertThat(states.keySet()).as("calls that are none").doesNotContainAnyElementsOf(NO_CALL);
    assertThat(states.get(DONE)).as("calls that did something").isGreaterThan(CALLS / 10);
    assertThat(bystander.rows()).isEqualTo(rows);
    await().atMost(SOON).until(() -> lastSlot().isAfter(ended));
    assertThat(kept).allMatch(id -> status(id) == JobStatus.SUCCEEDED);
    var late = engine.jobs().submit(VICTIM, EchoHandler.ECHO.request("late").delay(SOON)).jobId();
    assertThat(engine.jobs().cancel(VICTIM, late)).isInstanceOf(Cancellation.Cancelled.class);
    submitted(SLOTS, RENDEZVOUS).forEach(this::awaitSuccess);
    await().atMost(SOON).until(() -> engine.health().status() == EngineHealth.Status.UP);
    var after = pickUps("after");
    var p99 =
        "p99 of pick-ups in ms: before %d, during %d, after %d"
            .formatted(p99(before), p99(during), p99(after));
    reporter.publishEntry("leasehold.garbage", p99);
    assertThat(p99(after)).as(p99).isLessThan(5 * p99(before) + 2_000);
  }

  /** Runs a session's part of the calls; answers those that were ended by the time limit. */
  private FutureTask<List<String>> calling(List<Callable> functions, Random random)
      throws SQLException {
    var garbage = new Garbage(random, knownIds(), HUGE_MOST / SESSIONS + 1);
    var session = TenantSession.of(database, HOSTILE, SPINS);
    var calling =
        new FutureTask<List<String>>(
            () -> {
              var spun = new ArrayList<String>();
              for (var i = 0; i < CALLS / SESSIONS; i++) {
                var call = functions.get(random.nextInt(functions.size())).call(garbage);
                var state = state(session, call);
                states.merge(state, 1, Integer::sum);
                if (CANCELLED_BY_THE_TIME_LIMIT.equals(state)) {
                  spun.add(call);
                }
              }
              session.close();
              return spun;
            });
    Thread.ofPlatform().daemon().start(calling);
    return calling;
  }

  private static String state(TenantSession session, String call) {
    try {
      session.run(call);
      return DONE;
    } catch (SQLException e) {
      return String.valueOf(e.getSQLState());
    }
  }

  private List<Long> pickUps(String name) {
    return pickUps(name, PICK_UPS);
  }

  /** How many milliseconds passed from each submission to the beginning of the job. */
  private List<Long> pickUps(String name, int count) {
    var waited = new ArrayList<Long>();
    for (var i = 0; i < count; i++) {
      var input = name + " " + i;
      var submittedAt = System.nanoTime();
      engine.jobs().submit(VICTIM, EchoHandler.ECHO.request(input));
      await()
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(5))
          .atMost(SOON)
          .until(() -> begun.containsKey(input));
      waited.add(TimeUnit.NANOSECONDS.toMillis(requireNonNull(begun.remove(input)) - submittedAt));
    }
    return waited;
  }

  private static long p99(List<Long> waited) {
    return waited.stream().sorted().toList().get((waited.size() - 1) * 99 / 100);
  }

  private List<JobId> submitted(int count, String input) {
    return IntStream.range(0, count)
        .mapToObj(i -> engine.jobs().submit(VICTIM, EchoHandler.ECHO.request(input + i)).jobId())
        .toList();
  }

  private void awaitSuccess(JobId id) {
    await().atMost(SOON).until(() -> status(id).isFinal());
    assertThat(status(id)).isEqualTo(JobStatus.SUCCEEDED);
  }

  private JobStatus status(JobId id) {
    return engine.jobs().find(VICTIM, id).map(Job::status).orElseThrow();
  }

  private Instant lastSlot() {
    return engine
        .schedules()
        .find(VICTIM, "every-second")
        .flatMap(schedule -> schedule.lastSlotAt())
        .orElse(Instant.EPOCH);
  }
}
