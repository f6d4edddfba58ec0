package io.leasehold.engine.signal.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class InterestsTest {

  private static final long NOW = Long.MAX_VALUE - 1_000; // The clock's numbers may pass their end.
  private static final long BEFORE_ITS_END = NOW + Duration.ofSeconds(29).toNanos();
  private static final long AFTER_ITS_END = NOW + Duration.ofSeconds(31).toNanos();

  private final Interests interests = new Interests(100);

  @Test
  void expireAfterAWhile() {
    interests.note(List.of(1L), NOW);

    assertThat(interests.has(1, BEFORE_ITS_END)).isTrue();
    assertThat(interests.has(1, AFTER_ITS_END)).isFalse();
    assertThat(interests.has(2, NOW)).isFalse();
  }

  @Test
  void lastAsLongAsTheyAreRenewed() {
    interests.note(List.of(1L), NOW);
    interests.note(List.of(1L), BEFORE_ITS_END);

    interests.forgetOld(AFTER_ITS_END);

    assertThat(interests.has(1, AFTER_ITS_END)).isTrue();
  }

  @Test
  void areRemoved() {
    interests.note(List.of(1L), NOW);
    interests.forgetOld(BEFORE_ITS_END);
    assertThat(interests.isEmpty()).isFalse();

    interests.forgetOld(AFTER_ITS_END);

    assertThat(interests.isEmpty()).isTrue();
  }

  @Test
  void areLimitedInNumber() {
    interests.note(LongStream.range(0, 150).boxed().toList(), NOW);
    interests.note(List.of(5L), BEFORE_ITS_END);

    assertThat(LongStream.range(0, 150).filter(job -> interests.has(job, NOW))).hasSize(100);
    assertThat(interests.has(5, AFTER_ITS_END)).isTrue(); // One that is there is renewed.
  }
}
