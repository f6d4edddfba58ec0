package io.leasehold.engine.signal.wakeup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HintTest {

  @Test
  void aHintIsReadAsItWasWritten() {
    for (var hint : List.of(new Hint("mail"), Hint.changed("mail"), Hint.CANCELLATIONS)) {
      assertThat(Hint.of(hint.texts().getFirst())).containsExactly(hint);
    }
    assertThat(Hint.changed("mail").changedQueue()).contains("mail");
    assertThat(new Hint("mail").changedQueue()).isEmpty();
  }

  /** Earlier versions put all topics into one text. */
  @Test
  void aTextMayHaveSeveralTopics() {
    assertThat(Hint.of("mail !cancel")).containsExactly(new Hint("mail"), Hint.CANCELLATIONS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "   ", "x", "'; DROP TABLE job; --", "\u0001"})
  void nonsenseIsNoRequestToCancel(String text) {
    assertThat(Hint.of(text)).doesNotContain(Hint.CANCELLATIONS);
  }
}
