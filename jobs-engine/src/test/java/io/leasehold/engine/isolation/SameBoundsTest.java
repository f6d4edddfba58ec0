package io.leasehold.engine.isolation;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.service.query.OpenService;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.schedules.ScheduleRequest;
import io.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/**
 * The functions of the database have the bounds of the Java API: of each bound, the last value that
 * is within it is taken by both, and the first one outside is refused by both.
 */
class SameBoundsTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final TenantId TENANT = new TenantId(new UUID(9, 1));
  private static final SecurityContext ANN = SecurityContext.of("ann", TENANT).build();
  private static final String TYPE = "gts.x.core.jobs.handler.v1~";
  private static final String REFUSED = "23514";
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private static OpenService service;
  private static TenantSession sql;

  @BeforeAll
  static void open() throws SQLException {
    service = OpenService.on(database, EngineConfig.defaults());
    sql = TenantSession.of(database, TENANT, Duration.ofSeconds(30));
  }

  @AfterAll
  static void close() throws SQLException {
    sql.close();
    service.close();
  }

  /**
   * A value and what becomes of it.
   *
   * @param name which value
   * @param taken whether it is within its bound
   * @param java asks for it in Java
   * @param statement asks for it in SQL
   */
  record Bound(String name, boolean taken, Runnable java, String statement) {

    @Override
    public String toString() {
      return (taken ? "takes " : "refuses ") + name;
    }
  }

  /** The arguments of {@code leasehold.submit}, by their names. */
  private static String submit(String changed, String value) {
    Map<String, String> arguments =
        new HashMap<>(
            Map.of(
                "handler", "'%sa.b.c.d.v1'".formatted(TYPE),
                "queue", "'q'",
                "priority", "0",
                "max_attempts", "1",
                "time_limit_ms", "NULL",
                "delay_ms", "0",
                "principal", "'ann'",
                "correlation_id", "NULL",
                "input", "'1'",
                "metadata", "NULL"));
    arguments.put(changed, value);
    return "SELECT leasehold.submit(%s::text, %s::text, %s::smallint, %s::smallint, %s::bigint, %s::bigint, %s::text, %s::text, %s::json, %s::json)"
        .formatted(
            Stream.of(
                    "handler",
                    "queue",
                    "priority",
                    "max_attempts",
                    "time_limit_ms",
                    "delay_ms",
                    "principal",
                    "correlation_id",
                    "input",
                    "metadata")
                .map(arguments::get)
                .toArray());
  }

  private static JobType<Object, Object> type(String name) {
    return JobType.restartable(TYPE + name, Object.class, Object.class)
        .queue("q")
        .retry(RetryPolicy.exponential(30_000));
  }

  private static Runnable request(
      Function<JobRequest<Object, Object>, JobRequest<Object, Object>> change) {
    return () -> service.jobs().submit(ANN, change.apply(type("a.b.c.d.v1").request(1)));
  }

  private static Runnable caller(String principal, String correlationId) {
    return () ->
        service
            .jobs()
            .submit(
                SecurityContext.of(principal, TENANT).correlationId(correlationId).build(),
                type("a.b.c.d.v1").request(1));
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  static Stream<Bound> bounds() {
    var bounds = new ArrayList<Bound>();
    numbers(bounds);
    texts(bounds);
    values(bounds);
    metadata(bounds);
    schedules(bounds);
    return bounds.stream();
  }

  private static void numbers(List<Bound> bounds) {
    for (var priority : List.of(-1_001, -1_000, 1_000, 1_001)) {
      bounds.add(
          new Bound(
              "priority " + priority,
              Math.abs(priority) <= 1_000,
              request(request -> request.priority(priority)),
              submit("priority", "(%d)".formatted(priority))));
    }
    for (var attempts : List.of(0, 1, 30_000, 30_001)) {
      bounds.add(
          new Bound(
              "attempts " + attempts,
              attempts >= 1 && attempts <= 30_000,
              request(request -> request.maxAttempts(attempts)),
              submit("max_attempts", "" + attempts)));
    }
    var days30 = Duration.ofDays(30).toMillis();
    for (var millis : List.of(0L, 1L, days30, days30 + 1)) {
      bounds.add(
          new Bound(
              "time limit " + millis,
              millis >= 1 && millis <= days30,
              request(request -> request.timeout(Duration.ofMillis(millis))),
              submit("time_limit_ms", "" + millis)));
    }
    var years10 = Duration.ofDays(3_650).toMillis();
    for (var millis : List.of(-1L, 0L, years10, years10 + 1)) {
      bounds.add(
          new Bound(
              "delay " + millis,
              millis >= 0 && millis <= years10,
              request(request -> request.delay(Duration.ofMillis(millis))),
              submit("delay_ms", "(%d)".formatted(millis))));
    }
  }

  private static void texts(List<Bound> bounds) {
    for (var queue : List.of("q", "q".repeat(64), "q".repeat(65), "Q", "-q", "", "q\n", "qé")) {
      bounds.add(
          new Bound(
              "queue '%s'".formatted(queue),
              queue.matches("q{1,64}"),
              () -> service.jobs().submit(ANN, type("a.b.c.d.v1").queue(queue).request(1)),
              submit("queue", quoted(queue))));
    }
    for (var length : List.of(255, 256)) {
      var name = "a".repeat(length - TYPE.length() - 9) + ".b.c.d.v1";
      bounds.add(
          new Bound(
              "handler of %d characters".formatted(length),
              length == 255,
              () -> service.jobs().submit(ANN, type(name).request(1)),
              submit("handler", quoted(TYPE + name))));
    }
    for (var handler : List.of("", "x", "DROP TABLE", "a b")) {
      bounds.add(
          new Bound(
              "handler '%s'".formatted(handler),
              false,
              () -> service.jobs().submit(ANN, type(handler).request(1)),
              submit("handler", quoted(handler))));
    }
    for (var principal :
        List.of("p".repeat(255), "\u00e9".repeat(255), "\ud83d\ude00".repeat(255), "\u00a0")) {
      bounds.add(principal(principal, true));
    }
    for (var principal :
        List.of(
            "",
            " ",
            "\u3000\u2028 ",
            "p".repeat(256),
            "a\nb",
            "a\u007f",
            "a\u0085b",
            "\u001b[31m")) {
      bounds.add(principal(principal, false));
    }
    for (var correlation : List.of("c".repeat(255), " ", "a b", "\ud83d\ude00".repeat(255))) {
      bounds.add(correlation(correlation));
    }
  }

  /** Java cuts and cleans it, because it comes from headers of requests. */
  @ParameterizedTest
  @ValueSource(strings = {"a\nb", "\u001b[31m", "a\u009bb"})
  void sqlRefusesACorrelationIdThatJavaWouldClean(String correlation) {
    caller("ann", correlation).run();

    assertThatThrownBy(() -> sql.run(submit("correlation_id", quoted(correlation))))
        .hasMessageContaining("correlation_id");
  }

  private static Bound principal(String principal, boolean taken) {
    return new Bound(
        "principal of " + shown(principal),
        taken,
        caller(principal, ""),
        submit("principal", quoted(principal)));
  }

  private static Bound correlation(String correlation) {
    return new Bound(
        "correlation id of " + shown(correlation),
        true,
        caller("ann", correlation),
        submit("correlation_id", quoted(correlation)));
  }

  private static String shown(String text) {
    return text.chars().limit(3).mapToObj("U+%04X"::formatted).toList() + " " + text.length();
  }

  private static void values(List<Bound> bounds) {
    for (var length : List.of(1_048_576, 1_048_577)) {
      var text = "\u2603".repeat(length - 2);
      bounds.add(
          new Bound(
              "input of %d characters".formatted(length),
              length == 1_048_576,
              () -> service.jobs().submit(ANN, type("a.b.c.d.v1").request(text)),
              submit("input", "('\"' || repeat('\u2603', %d) || '\"')".formatted(length - 2))));
    }
    for (var key : List.of(1, 255, 256)) {
      bounds.add(
          new Bound(
              "key of %d characters".formatted(key),
              key <= 255,
              request(request -> request.key("k".repeat(key))),
              "SELECT id FROM leasehold.submit_all('%sa.b.c.d.v1', 'q', 0::smallint, 1::smallint, NULL, 0, 'ann', NULL, ARRAY['1']::json[], NULL, ARRAY[repeat('k', %d)])"
                  .formatted(TYPE, key)));
    }
  }

  private static void metadata(List<Bound> bounds) {
    for (var size : List.of(64, 65)) {
      bounds.add(
          metadata(
              "%d values".formatted(size),
              size == 64,
              IntStream.range(0, size).boxed().collect(toMap(i -> "name" + i, i -> i))));
    }
    for (var character : List.of("n", "\u00e9", "\ud83d\ude00", "\u0001", "\0", "\"", "\\")) {
      for (var length : List.of(64, 65)) {
        bounds.add(
            metadata(
                "a name of %d %s".formatted(length, shown(character)),
                length == 64,
                Map.of(character.repeat(length), "value")));
      }
    }
    bounds.add(metadata("an empty name", false, Map.of("", "value")));
    bounds.add(metadata("a name in a value", true, Map.of("a", Map.of("n".repeat(65), 1, "", 2))));
    for (var character : List.of("x", "\u2603", "\ud83d\ude00")) {
      for (var length : List.of(65_536, 65_537)) {
        bounds.add(
            metadata(
                "%d characters %s".formatted(length, shown(character)),
                length == 65_536,
                Map.of("a", character.repeat(length - "{'a':''}".length()))));
      }
    }
    for (var length : List.of(10_921, 10_922)) {
      bounds.add(
          metadata(
              "%d characters that are six in JSON".formatted(length),
              length == 10_921,
              Map.of("a", "\u0001".repeat(length))));
    }
    for (var text :
        List.of("[{[{[{[{[{[{[{[{[{[{[{[", "\"[{\\\"[{[[[[[[[[[[[[[[[[[[[[[", "\0[\\")) {
      bounds.add(metadata("brackets in a text " + text, true, Map.of(text, List.of(text))));
    }
    for (var depth : List.of(16, 17)) {
      bounds.add(metadata("lists %d deep".formatted(depth), depth == 16, nested(depth, List::of)));
      bounds.add(
          metadata(
              "objects %d deep".formatted(depth),
              depth == 16,
              nested(depth, value -> Map.of("]", value, "b", List.of(1, 2)))));
    }
  }

  // The metadata themselves are the first level, and the innermost value is an empty list.
  private static Map<String, Object> nested(int depth, UnaryOperator<Object> outer) {
    Object value = List.of();
    for (int i = 2; i < depth; i++) {
      value = outer.apply(value);
    }
    return Map.of("shallow", 1, "deep", value);
  }

  private static Bound metadata(String name, boolean taken, Map<String, ?> values) {
    return new Bound(
        "metadata of " + name,
        taken,
        request(
            request -> {
              var changed = request;
              for (var value : values.entrySet()) {
                changed = changed.metadata(value.getKey(), value.getValue());
              }
              return changed;
            }),
        submit("metadata", quoted(JSON.writeValueAsString(values))));
  }

  /** Java has no way to say them. */
  @ParameterizedTest
  @ValueSource(strings = {"[]", "1", "\"a\"", "null", "[{}]"})
  void sqlRefusesMetadataThatIsNoObject(String metadata) {
    assertThatThrownBy(() -> sql.run(submit("metadata", quoted(metadata))))
        .hasMessageContaining("metadata must be an object");
  }

  private static void schedules(List<Bound> bounds) {
    for (var name : List.of("s", "s".repeat(64), "s".repeat(65), "S")) {
      bounds.add(
          new Bound(
              "schedule '%s'".formatted(name),
              name.matches("s{1,64}"),
              () -> service.schedules().put(ANN, schedule(name)),
              put(quoted(name), "NULL", "0")));
    }
    var day = Duration.ofDays(1).toMillis();
    for (var millis : List.of(-1L, 0L, day, day + 1)) {
      bounds.add(
          new Bound(
              "jitter " + millis,
              millis >= 0 && millis <= day,
              () -> service.schedules().put(ANN, schedule("s").jitter(Duration.ofMillis(millis))),
              put("'s'", "NULL", "(%d)".formatted(millis))));
    }
    for (var start :
        List.of("1969-12-31T23:59:59Z", "1970-01-01T00:00:00Z", "9999-12-31T00:00:01Z")) {
      bounds.add(
          new Bound(
              "start at " + start,
              start.startsWith("1970"),
              () -> service.schedules().put(ANN, schedule("s").startAt(Instant.parse(start))),
              put("'s'", quoted(start), "0")));
    }
  }

  private static ScheduleRequest schedule(String name) {
    return ScheduleRequest.of(name, "@yearly", type("a.b.c.d.v1").request(1));
  }

  private static String put(String name, String start, String jitter) {
    return "SELECT leasehold.put_schedule(%s, '@yearly', 'UTC', %s, NULL, %s, 'once', '%sa.b.c.d.v1', 'q', 0::smallint, 1::smallint, NULL, '1', NULL, 'ann', NULL)"
        .formatted(name, start, jitter, TYPE);
  }

  @ParameterizedTest
  @MethodSource("bounds")
  void javaAndTheDatabaseHaveTheSameBounds(Bound bound) {
    assertThat(isTaken(bound.java())).as("by Java").isEqualTo(bound.taken());
    assertThat(state(bound.statement())).as("by SQL").isEqualTo(bound.taken() ? "" : REFUSED);
  }

  private static boolean isTaken(Runnable java) {
    try {
      java.run();
      return true;
    } catch (IllegalArgumentException | JobsException e) {
      return false;
    }
  }

  private static String state(String statement) {
    try {
      sql.run(statement);
      return "";
    } catch (SQLException e) {
      return String.valueOf(e.getSQLState());
    }
  }
}
