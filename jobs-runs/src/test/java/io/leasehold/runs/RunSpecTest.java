package io.leasehold.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunSpecTest {

  private final RunSpec spec = RunSpec.of("true");

  @Test
  void keepsItsParts() {
    var changed = spec.with("SIZE", "7").file("in/model.txt", "m").image("alpine:3");

    assertThat(changed.command()).isEqualTo(List.of("true"));
    assertThat(changed.environment()).containsEntry("SIZE", "7");
    assertThat(changed.files()).containsEntry("in/model.txt", "m");
    assertThat(changed.image()).contains("alpine:3");
    assertThat(spec.environment()).isEmpty();
  }

  @Test
  void requiresACommand() {
    assertThatIllegalArgumentException().isThrownBy(RunSpec::of).withMessageContaining("command");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1A", "A-B", "A=B", "LEASEHOLD_RUN"})
  void refusesInvalidVariables(String name) {
    assertThatIllegalArgumentException().isThrownBy(() -> spec.with(name, ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "/etc/passwd", "../exit", "a/../../exit", "a/../b", ".."})
  void refusesFilesOutsideTheFolder(String name) {
    assertThatIllegalArgumentException().isThrownBy(() -> spec.file(name, ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "--privileged"})
  void refusesImagesThatAreOptions(String image) {
    assertThatIllegalArgumentException().isThrownBy(() -> spec.image(image));
  }
}
