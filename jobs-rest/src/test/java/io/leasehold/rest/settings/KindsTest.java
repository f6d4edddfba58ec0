package io.leasehold.rest.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KindsTest {

  private enum Colour {
    RED,
    DARK_BLUE
  }

  @ParameterizedTest
  @CsvSource({"250ms, 250", "30 s, 30000", "5m, 300000", "2h, 7200000", "14d, 1209600000"})
  void readTimes(String written, long millis) {
    assertThat(Kinds.TIME.read(text(written))).isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @ValueSource(strings = {"250ms", "30s", "5m", "2h", "14d", "0s", "90s", "1500ms"})
  void writeTimesAsTheyAreRead(String written) {
    assertThat(DurationSettings.write(DurationSettings.read(written))).isEqualTo(written);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "30", "-1s", "PT30S", "1.5h", "5 weeks", "99999999999d"})
  void refuseInvalidTimes(String written) {
    assertThatThrownBy(() -> Kinds.TIME.read(text(written)))
        .hasMessage(
            "must be a time with its unit, as in 250ms, 30s, 5m, 2h, 14d, not '%s'", written);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "4096, 4096", "64k, 65536", "20m, 20971520", "1g, 1073741824"})
  void readSizes(String written, long bytes) {
    assertThat(Kinds.SIZE.read(text(written))).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "1.5g", "1t", "k", "1 g"})
  void refuseInvalidSizes(String written) {
    assertThatThrownBy(() -> Kinds.SIZE.read(text(written)))
        .hasMessage("must be a number of bytes, as in 4096, 64k, 20m or 1g, not '%s'", written);
  }

  @Test
  void readSwitches() {
    assertThat(Kinds.SWITCH.read(text("on"))).isTrue();
    assertThat(Kinds.SWITCH.read(text("false"))).isFalse();
    assertThat(Kinds.SWITCH.read(inFile("true"))).isTrue();
    assertThatThrownBy(() -> Kinds.SWITCH.read(text("maybe")))
        .hasMessage("must be on or off, not 'maybe'");
  }

  @Test
  void readWords() {
    assertThat(Kinds.WORDS.read(text("a, b,c"))).containsExactly("a", "b", "c");
    assertThat(Kinds.WORDS.read(inFile("[a, b, 7]"))).containsExactly("a", "b", "7");
    assertThat(Kinds.WORDS.read(text(""))).isEmpty();
  }

  @Test
  void readNumbersByName() {
    assertThat(Kinds.NUMBERS.read(text("a=1, b = 2"))).isEqualTo(Map.of("a", 1, "b", 2));
    assertThat(Kinds.NUMBERS.read(inFile("{ a = 1, \"b.c\" = 2 }")))
        .isEqualTo(Map.of("a", 1, "b.c", 2));
    assertThatThrownBy(() -> Kinds.NUMBERS.read(text("a")))
        .hasMessage("must be names with numbers, as in reports=5,mail=2, not 'a'");
  }

  @Test
  void readConstants() {
    assertThat(Kinds.oneOf(Colour.class).read(text("dark-blue"))).isEqualTo(Colour.DARK_BLUE);
    assertThat(Kinds.anyOf(Colour.class).read(text("red,dark-blue")))
        .containsExactly(Colour.RED, Colour.DARK_BLUE);
    assertThatThrownBy(() -> Kinds.oneOf(Colour.class).read(text("green")))
        .hasMessage("must be red, dark-blue, not 'green'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dark-blue", "DARK_BLUE", "Dark-Blue", "dark_blue", " dark-blue "})
  void readConstantsInAnyCase(String written) {
    assertThat(Kinds.oneOf(Colour.class).read(text(written))).isEqualTo(Colour.DARK_BLUE);
    assertThat(Kinds.anyOf(Colour.class).read(text("Red," + written)))
        .containsExactly(Colour.RED, Colour.DARK_BLUE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"on", "On", "TRUE"})
  void readSwitchesInAnyCase(String written) {
    assertThat(Kinds.SWITCH.read(text(written))).isTrue();
  }

  @Test
  void readPathsAndAddresses() {
    assertThat(Kinds.FOLDER.read(text("a/b"))).isEqualTo(Path.of("a/b"));
    assertThat(Kinds.ADDRESS.read(text("https://a/b"))).isEqualTo(URI.create("https://a/b"));
    assertThatThrownBy(() -> Kinds.FILE.read(text(" "))).hasMessageContaining("must be a file");
    assertThatThrownBy(() -> Kinds.ADDRESS.read(text("https://a b")))
        .hasMessageContaining("must be an address");
  }

  @Test
  void readListsOfObjects() {
    Kind<List<String>> kind =
        new ListOf<>(
            "", List.of(Setting.<String, String>part("name", Kinds.TEXT, (_, it) -> it)), it -> it);

    assertThat(kind.read(text("[{ name = a }, { name = b }]"))).containsExactly("a", "b");
    assertThat(kind.read(inFile("[{ name = a }]"))).containsExactly("a");
    assertThatThrownBy(() -> kind.read(text("name = a")))
        .hasMessageStartingWith("must be a list of objects");
    assertThatThrownBy(() -> kind.read(text("[{ name = a }, { nam = b }]")))
        .hasMessageMatching("it, at 2: there is no setting nam \\(.*\\): is it name\\?");
  }

  private static Value text(String text) {
    return Value.text(text, "it", "here");
  }

  private static Value inFile(String text) {
    return Value.inFile(ConfigFactory.parseString("it = " + text).getValue("it"), "it");
  }
}
