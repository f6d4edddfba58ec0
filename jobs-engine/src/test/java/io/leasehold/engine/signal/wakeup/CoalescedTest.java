package io.leasehold.engine.signal.wakeup;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class CoalescedTest {

  private static final long WINDOW = Duration.ofMillis(5).toNanos();
  private static final long NOW = -3; // The process's clock may be of any sign.

  private final Coalesced<String> topics = new Coalesced<>(Duration.ofMillis(5));

  @Test
  void passesTheFirstOnAtOnce() {
    assertThat(topics.add("mail", NOW)).hasValue(0);
    assertThat(topics.take(NOW)).containsExactly("mail");
  }

  @Test
  void passesRepeatedTopicsOnOnce() {
    topics.add("mail", NOW);

    assertThat(topics.add("mail", NOW + 1)).isEmpty();
    assertThat(topics.take(NOW + 2)).containsExactly("mail");
    assertThat(topics.take(NOW + 3)).isEmpty();
  }

  @Test
  void passesATopicOnAgainAtTheEndOfTheWindow() {
    topics.add("mail", NOW);
    topics.take(NOW);

    assertThat(topics.add("mail", NOW + 1)).hasValue(WINDOW - 1);
    assertThat(topics.add("mail", NOW + 2)).isEmpty();
    assertThat(topics.take(NOW + WINDOW)).containsExactly("mail");
  }

  @Test
  void passesATopicOnAtOnceAfterTheWindow() {
    topics.add("mail", NOW);
    topics.take(NOW);

    assertThat(topics.add("mail", NOW + WINDOW + 1)).hasValue(0);
  }

  @Test
  void doesNotDelayATopicForAnother() {
    topics.add("mail", NOW);
    topics.take(NOW);

    assertThat(topics.add("reports", NOW + 1)).hasValue(0);
  }

  @Test
  void passesAllWaitingTopicsOnTogether() {
    topics.add("mail", NOW);
    topics.take(NOW);
    topics.add("mail", NOW + 1);
    topics.add("reports", NOW + 2);

    assertThat(topics.take(NOW + 2)).containsExactlyInAnyOrder("mail", "reports");
  }
}
