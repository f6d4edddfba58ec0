package io.leasehold.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class ErrorCodeTest {

  @Test
  void isDescribedForOperatorsWithItsBlame() throws IOException {
    var page = Files.readString(Path.of("..", "docs", "operate", "errors.md"));

    assertThat(ErrorCode.values())
        .allSatisfy(
            code -> assertThat(page).contains("| `%s` | %s |".formatted(code, blame(code))));
  }

  private static String blame(ErrorCode code) {
    return code.blame().name().toLowerCase(Locale.ROOT);
  }
}
