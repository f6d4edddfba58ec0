package io.leasehold.engine.isolation;

import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Arguments that no caller means, as SQL: for each type the extremes of what it can hold, and for
 * each name of a parameter a value that would do, so that a call with one bad argument gets past
 * the checks of the others.
 */
final class Garbage {

  /** Takes the server most of a second to make. */
  private static final String HUGE = "repeat('x', 200000000)";

  private static final List<String> TEXTS =
      List.of(
          "''",
          "' '",
          "'a'",
          "E'\\n\\x1b[31m'",
          "E'\\u2028\\u3000'",
          "E'\\U0001F600'",
          "'''; DROP TABLE leasehold.job; --'",
          "'../../etc/passwd'",
          "'-infinity'",
          "'* * * * * *'",
          "'@reboot'",
          "'Mars/Olympus'",
          "repeat('x', 256)",
          "repeat('x', 9000)",
          "repeat(E'\\u2603', 70000)");

  private static final List<String> JSONS =
      List.of(
          "'null'::json",
          "'1'::json",
          "'1e999999'::json",
          "'\"\\u0000\"'::json",
          "'[]'::json",
          "'{}'::json",
          "'{\"a\": {\"b\": [1]}, \"a\": null}'::json",
          "(repeat('[', 5000) || repeat(']', 5000))::json",
          "('\"' || repeat('x', 1048577) || '\"')::json");

  private static final List<String> LONGS =
      List.of(
          "0",
          "1",
          "-1",
          "60000",
          "9000000000000000",
          "9223372036854775807",
          "(-9223372036854775808)");

  private static final List<String> INSTANTS =
      List.of(
          "'infinity'::timestamptz",
          "'-infinity'::timestamptz",
          "'4713-01-01 BC'::timestamptz",
          "'294276-12-31'::timestamptz",
          "'epoch'::timestamptz",
          "now()",
          "now() - interval '1 year'");

  private static final Map<String, List<String>> VALUES =
      Map.ofEntries(
          Map.entry("text", TEXTS),
          Map.entry("json", JSONS),
          Map.entry("bigint", LONGS),
          Map.entry("integer", List.of("0", "1", "-1", "100", "2147483647", "(-2147483648)")),
          Map.entry(
              "smallint",
              List.of(
                  "0::smallint",
                  "1::smallint",
                  "(-1)::smallint",
                  "32767::smallint",
                  "(-32768)::smallint")),
          Map.entry("boolean", List.of("true", "false")),
          Map.entry("timestamp with time zone", INSTANTS),
          Map.entry(
              "uuid",
              List.of(
                  "'00000000-0000-0000-0000-000000000000'::uuid",
                  "'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid",
                  "gen_random_uuid()")));

  /** What would do, by the name of a parameter without {@code its_}. */
  private static final Map<String, String> SOUND =
      Map.ofEntries(
          Map.entry("handler", "'%s'".formatted(EchoHandler.ECHO.handler())),
          Map.entry("queue", "'%s'".formatted(EchoHandler.ECHO.queue())),
          Map.entry("priority", "0::smallint"),
          Map.entry("max_attempts", "2::smallint"),
          Map.entry("time_limit_ms", "NULL"),
          Map.entry("delay_ms", "0"),
          Map.entry("principal", "'eve'"),
          Map.entry("by", "'eve'"),
          Map.entry("correlation_id", "NULL"),
          Map.entry("correlation", "NULL"),
          Map.entry("input", "'\"x\"'::json"),
          Map.entry("metadata", "NULL"),
          Map.entry("inputs", "ARRAY['\"x\"', '\"y\"']::json[]"),
          Map.entry("keys", "NULL"),
          Map.entry("reuse_ms", "NULL"),
          Map.entry("on_ids", "'{}'::uuid[]"),
          Map.entry("ofs", "'{}'::integer[]"),
          Map.entry("name", "'nightly'"),
          Map.entry("cron", "'@yearly'"),
          Map.entry("zone", "'UTC'"),
          Map.entry("start", "NULL"),
          Map.entry("end", "NULL"),
          Map.entry("jitter_ms", "0"),
          Map.entry("missed", "'once'"),
          Map.entry("next", "now() + interval '1 h'"),
          Map.entry("revision", "1"),
          Map.entry("status", "NULL"),
          Map.entry("most", "50"),
          Map.entry("lease_ms", "60000"),
          Map.entry("when_lost", "'requeue'"),
          Map.entry("until_end", "false"));

  private final Random random;
  private final List<String> ids;
  private final int hugeMost;
  private int huge;

  /**
   * Makes it.
   *
   * @param ids of jobs, workers and tenants there are, of any tenant
   * @param hugeMost how many texts of 200 MB it makes
   */
  Garbage(Random random, List<String> ids, int hugeMost) {
    this.random = random;
    this.ids = ids;
    this.hugeMost = hugeMost;
  }

  /** A value for a parameter, most often one that would do. */
  String value(String name, String type) {
    var plain = name.startsWith("its_") ? name.substring("its_".length()) : name;
    if (SOUND.containsKey(plain) && random.nextInt(10) < 7) {
      return "(%s)::%s".formatted(SOUND.get(plain), type);
    }
    return random.nextInt(8) == 0 ? "NULL::" + type : extreme(type);
  }

  private String extreme(String type) {
    if (type.endsWith("[]")) {
      return array(type.substring(0, type.length() - 2));
    }
    if (type.equals("uuid") && random.nextBoolean()) {
      return "'%s'::uuid".formatted(oneOf(ids));
    }
    if (huge < hugeMost
        && (type.equals("text") || type.equals("json"))
        && random.nextInt(20) == 0) {
      huge++;
      return type.equals("text") ? HUGE : "('\"' || %s || '\"')::json".formatted(HUGE);
    }
    return oneOf(VALUES.getOrDefault(type, List.of("NULL::" + type)));
  }

  private String array(String type) {
    var some = "ARRAY[%s, %s]::%s[]".formatted(element(type), element(type), type);
    return switch (random.nextInt(7)) {
      case 0 -> "'{}'::%s[]".formatted(type);
      case 1 -> "ARRAY[NULL, %s]::%s[]".formatted(element(type), type);
      case 2 -> "ARRAY[%s, %1$s]::%s[]".formatted(some, type);
      case 3 -> "array_fill(%s, ARRAY[20000])".formatted(element(type));
      case 4 -> "array_fill(%s, ARRAY[3], ARRAY[-5])".formatted(element(type));
      case 5 -> "array_fill(NULL::%s, ARRAY[3])".formatted(type);
      default -> some;
    };
  }

  // Small: 20,000 of them are a value as well.
  private String element(String type) {
    return switch (type) {
      case "uuid" -> "'%s'::uuid".formatted(oneOf(ids));
      case "json" -> oneOf(JSONS.subList(0, JSONS.size() - 2));
      case "text" -> "%s::text".formatted(oneOf(TEXTS.subList(0, TEXTS.size() - 2)));
      default -> oneOf(VALUES.getOrDefault(type, List.of("NULL::" + type)));
    };
  }

  private <T> T oneOf(List<T> some) {
    return some.get(random.nextInt(some.size()));
  }
}
