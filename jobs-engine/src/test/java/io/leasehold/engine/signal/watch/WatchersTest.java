package io.leasehold.engine.signal.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.signal.watch.Watchers.Watcher;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WatchersTest {

  private final Watchers watchers = new Watchers();
  private final AtomicInteger calls = new AtomicInteger();
  private final Watcher one = new Watcher(calls::incrementAndGet);
  private final Watcher other = new Watcher(calls::incrementAndGet);

  @Test
  void reportsTheFirstWatcherOfAJob() {
    assertThat(watchers.add(7, one)).isNotNull();
    assertThat(watchers.add(7, other)).isNull();
    assertThat(watchers.add(8, one)).isNotNull();
  }

  @Test
  void callsAllWatchersEvenIfOneThrows() {
    watchers.add(
        7,
        new Watcher(
            () -> {
              throw new IllegalStateException("it cannot be told");
            }));
    watchers.add(7, one);
    watchers.add(7, other);

    Objects.requireNonNull(watchers.find(7)).call();

    assertThat(calls).hasValue(2);
  }

  @Test
  void removesAJobWithItsLastWatcher() {
    watchers.add(7, one);
    watchers.add(7, other);

    watchers.remove(7, one);
    watchers.remove(7, one);
    assertThat(watchers.find(7)).isNotNull();
    watchers.remove(7, other);

    assertThat(watchers.find(7)).isNull();
    assertThat(watchers.isEmpty()).isTrue();
  }
}
