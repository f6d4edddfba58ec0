package io.leasehold.engine.time.delayed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InTimeTest {

  private static final int TIMES = 20;

  private final List<Long> calls = new CopyOnWriteArrayList<>();
  private Thread thread = new Thread();

  @AfterEach
  void stop() throws InterruptedException {
    thread.interrupt();
    thread.join();
  }

  /** What is due still is held by others, and may be so for long. */
  @Test
  void workThatIsStillDueIsRepeatedSoon() {
    start(Optional.of(Duration.ZERO));

    await().until(() -> calls.size() > TIMES);

    assertThat(between(0, TIMES)).isGreaterThanOrEqualTo(Duration.ofMillis(10L * TIMES));
  }

  /** Other processes may have made some that is sooner. */
  @Test
  void workThatIsDueMuchLaterIsCheckedEverySecond() {
    start(Optional.of(Duration.ofHours(1)));

    await().until(() -> calls.size() > 1);

    assertThat(between(0, 1)).isGreaterThanOrEqualTo(Duration.ofMillis(800));
  }

  private void start(Optional<Duration> next) {
    var inTime =
        new InTime(
            "a test",
            new Alarm(),
            new Random(1),
            () -> {
              calls.add(System.nanoTime());
              return next;
            });
    thread = Thread.ofVirtual().start(inTime);
  }

  private Duration between(int first, int last) {
    return Duration.ofNanos(calls.get(last) - calls.get(first));
  }
}
