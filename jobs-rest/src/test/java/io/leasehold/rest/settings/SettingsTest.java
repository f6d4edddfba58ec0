package io.leasehold.rest.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.rest.settings.Sources.Option;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTest {

  @TempDir private Path folder;

  /** What is configured here. */
  private record Shop(String name, int doors, Duration open, String key) {

    Shop {
      if (doors < 1) {
        throw new IllegalArgumentException("doors must be 1 to 9, not " + doors);
      }
      if (open.compareTo(Duration.ofHours(24)) > 0) {
        throw new IllegalArgumentException("open must be PT1S to PT24H, not " + open);
      }
    }

    Shop name(String name) {
      return new Shop(name, doors, open, key);
    }

    Shop doors(int doors) {
      return new Shop(name, doors, open, key);
    }

    Shop open(Duration open) {
      return new Shop(name, doors, open, key);
    }

    Shop key(String key) {
      if (key.length() > 4) {
        throw new IllegalArgumentException("key must be short, not " + key);
      }
      return new Shop(name, doors, open, key);
    }
  }

  private static final Shop DEFAULTS = new Shop("shop", 1, Duration.ofHours(8), "");

  private static final List<Setting<Shop, ?>> ALL =
      List.of(
          Setting.of("shop.name", Kinds.TEXT, Shop::name),
          Setting.of("shop.doors-most", Kinds.NUMBER, Shop::doors),
          Setting.of("shop.open", Kinds.TIME, Shop::open),
          Setting.secret("shop.key", Kinds.TEXT, Shop::key));

  @Test
  void haveDefaults() throws Exception {
    assertThat(read(Map.of(), Map.of(), "")).isEqualTo(DEFAULTS);
  }

  @Test
  void areReadFromAFile() throws Exception {
    var file = "leasehold.shop { name = corner, doors-most = 3, open = 30m, key = 0123 }";

    assertThat(read(Map.of(), Map.of(), file))
        .isEqualTo(new Shop("corner", 3, Duration.ofMinutes(30), "0123"));
  }

  @Test
  void environmentOverridesTheFile() throws Exception {
    var environment = Map.of("LEASEHOLD_SHOP_DOORS_MOST", "4");

    assertThat(read(Map.of(), environment, "leasehold.shop { name = corner, doors-most = 3 }"))
        .isEqualTo(DEFAULTS.name("corner").doors(4));
  }

  @Test
  void commandLineOverridesTheEnvironment() throws Exception {
    var options = Map.of("leasehold.shop.doors-most", new Option("--doors", "5"));

    assertThat(read(options, Map.of("LEASEHOLD_SHOP_DOORS_MOST", "4"), "").doors()).isEqualTo(5);
  }

  @Test
  void mayReferToOtherSettings() throws Exception {
    assertThat(
            read(
                Map.of(),
                Map.of(),
                "leasehold.shop { key = ab, name = \"the \"${leasehold.shop.key} }"))
        .isEqualTo(DEFAULTS.key("ab").name("the ab"));
  }

  @Test
  void areRefusedAllAtOnce() {
    var options = Map.of("leasehold.shop.doors-most", new Option("--doors", "0"));
    var environment = Map.of("LEASEHOLD_SHOP_OPEN", "25h");

    assertThatThrownBy(
            () -> read(options, environment, "leasehold.shop { nam = x, key = sesame }\nother = 1"))
        .isInstanceOf(WrongSettings.class)
        .hasMessageStartingWith("5 settings are wrong:\n- ")
        .hasMessageContaining("- --doors must be 1 to 9, not 0 (leasehold.shop.doors-most)")
        .hasMessageContaining(
            "- LEASEHOLD_SHOP_OPEN must be 1s to 1d, not 25h (leasehold.shop.open)")
        .hasMessageContaining("- leasehold.shop.key must be short (")
        .hasMessageContaining("- there is no setting leasehold.shop.nam (")
        .hasMessageContaining(": 1): is it leasehold.shop.name?")
        .hasMessageContaining("- there is no setting other (")
        .hasMessageNotContaining("sesame");
  }

  @Test
  void refusalNamesTheLineOfTheFile() {
    assertThatThrownBy(() -> read(Map.of(), Map.of(), "\nleasehold.shop.doors-most = many"))
        .hasMessageMatching(
            "leasehold.shop.doors-most must be a whole number, not 'many' \\(.*settings.conf:"
                + " 2\\)");
  }

  @Test
  void areRefusedIfASingleValueIsExpected() {
    assertThatThrownBy(() -> read(Map.of(), Map.of(), "leasehold.shop.name = [a, b]"))
        .hasMessageStartingWith("leasehold.shop.name must be a single value, not a list (");
  }

  @Test
  void misspelledVariableIsRefused() {
    assertThatThrownBy(() -> read(Map.of(), Map.of("LEASEHOLD_SHOP_NMAE", "x"), ""))
        .hasMessage(
            "there is no setting LEASEHOLD_SHOP_NMAE (in the environment): is it"
                + " LEASEHOLD_SHOP_NAME?");
  }

  @Test
  void otherVariablesAreIgnored() throws Exception {
    var environment =
        Map.of(
            "LEASEHOLD_SERVICE_HOST", "10.0.0.1",
            "LEASEHOLD_PORT_8080_TCP", "tcp://10.0.0.1:8080",
            "LEASEHOLD_SHOP_NAMES", "known to others");

    assertThat(read(Map.of(), environment, "")).isEqualTo(DEFAULTS);
  }

  @Test
  void missingFileIsRefused() {
    var absent = Optional.of(folder.resolve("absent.conf"));

    assertThatThrownBy(() -> Sources.of(Map.of(), Map.of(), absent))
        .isInstanceOf(WrongSettings.class)
        .hasMessageStartingWith("the file of settings cannot be read: ")
        .hasMessageContaining("absent.conf");
  }

  @Test
  void invalidFileIsRefused() {
    assertThatThrownBy(() -> read(Map.of(), Map.of(), "leasehold { shop = [ }"))
        .isInstanceOf(WrongSettings.class)
        .hasMessageContaining("settings.conf: 1");
  }

  private Shop read(Map<String, Option> options, Map<String, String> environment, String file)
      throws IOException {
    var path = Files.writeString(folder.resolve("settings.conf"), file);
    var settings =
        new Settings(
            Sources.of(options, environment, Optional.of(path)), Set.of("LEASEHOLD_SHOP_NAMES"));
    var read = settings.applied(DEFAULTS, ALL);
    settings.requireRight();
    return read;
  }
}
