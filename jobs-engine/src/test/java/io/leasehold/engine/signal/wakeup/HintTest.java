package io.leasehold.engine.signal.wakeup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HintTest {

  private static final int SERVER_TAKES = 7_999;

  private final String sender = Hint.newSender();

  @Test
  void isParsed() {
    var words = Hint.inWords(sender, List.of("mail", Hint.CANCELLATIONS));

    assertThat(words).hasSize(1);
    assertThat(Hint.of(words.getFirst()))
        .isEqualTo(new Hint(sender, List.of("mail", Hint.CANCELLATIONS)));
  }

  @Test
  void isSplitAtTheServersLimit() {
    var queues = IntStream.range(0, 1_000).mapToObj("a-rather-long-queue-%06d"::formatted).toList();

    var words = Hint.inWords(sender, queues);

    assertThat(words).hasSizeGreaterThan(1).allMatch(hint -> hint.length() <= SERVER_TAKES);
    assertThat(words.stream().map(Hint::of).flatMap(hint -> hint.topics().stream()))
        .containsExactlyElementsOf(queues);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "   ", "x", "'; DROP TABLE job; --", "\u0001"})
  void invalidTextIsIgnored(String words) {
    assertThat(Hint.of(words).topics()).doesNotContain(Hint.CANCELLATIONS);
  }
}
