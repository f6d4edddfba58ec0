package io.leasehold.engine.service.values;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import java.math.BigInteger;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** JSON that is bounded, can be stored, and can be read again. */
class JsonTest {

  private static final int MOST = 1 << 20;

  @Test
  void writesUpToTheLimit() {
    var text = "x".repeat(MOST - 2);

    assertThat(Json.read(Json.write("input", text), String.class)).isEqualTo(text);
  }

  @Test
  void refusesOneCharacterMoreAndNamesTheLimit() {
    assertThatExceptionOfType(JobsException.class)
        .isThrownBy(() -> Json.write("input", "x".repeat(MOST - 1)))
        .withMessage("input must have at most 1048576 characters as JSON, not 1048577 or more")
        .satisfies(
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.TOO_LARGE);
              assertThat(e.limit()).contains(new JobsException.Limit(MOST, MOST + 1L));
            });
  }

  @Test
  void stopsWritingAtTheLimit() {
    var asked = new AtomicLong();
    Iterator<String> endless = Stream.generate(() -> "item " + asked.incrementAndGet()).iterator();

    assertThatExceptionOfType(JobsException.class)
        .isThrownBy(() -> Json.write("output", endless))
        .extracting(JobsException::code)
        .isEqualTo(ErrorCode.TOO_LARGE);
    assertThat(asked.get()).isLessThan(MOST);
  }

  @Test
  void writesUnpairedSurrogatesAsEscapes() {
    var text = "a\ud83db\ude00\ud83d\ude00c\ud83d";

    var json = Json.write("input", text);

    assertThat(json.data()).isEqualTo("\"a\\ud83db\\ude00\ud83d\ude00c\\ud83d\"");
    assertThat(Json.read(json, String.class)).isEqualTo(text);
  }

  @Test
  void refusesUnpairedSurrogatesInNames() {
    assertThatExceptionOfType(JobsException.class)
        .isThrownBy(() -> Json.write("input", Map.of("a\ud83d", "b")))
        .withMessage("input has half a character in a name")
        .extracting(JobsException::code)
        .isEqualTo(ErrorCode.VALUE_REFUSED);
  }

  /** As the database counts: each half is one character, and six as it is stored. */
  @Test
  void refusesTextThatEscapesMakeTooLong() {
    assertThat(Json.write("input", "\ud83d".repeat(100), 602).data()).hasSize(602);
    assertThatExceptionOfType(JobsException.class)
        .isThrownBy(() -> Json.write("input", "\ud83d".repeat(100), 601))
        .extracting(JobsException::code)
        .isEqualTo(ErrorCode.TOO_LARGE);
  }

  @Test
  void readsLongNumbersAndNamesAgain() {
    var number = BigInteger.TEN.pow(5_000);
    var names = Map.of("n".repeat(100_000), "value");

    assertThat(Json.read(Json.write("input", number), BigInteger.class)).isEqualTo(number);
    assertThat(Json.values(Json.write("input", names)))
        .hasEntrySatisfying(
            "n".repeat(100_000), value -> assertThat(value.stringValue()).isEqualTo("value"));
  }

  @Test
  void refusesNestingTooDeepToBeRead() {
    Object nested = "core";
    for (int i = 0; i < 600; i++) {
      nested = Collections.singletonList(nested);
    }
    var deep = nested;

    assertThatExceptionOfType(JobsException.class)
        .isThrownBy(() -> Json.write("input", deep))
        .extracting(JobsException::code)
        .isEqualTo(ErrorCode.VALUE_REFUSED);
  }
}
