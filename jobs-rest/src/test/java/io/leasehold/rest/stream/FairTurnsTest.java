package io.leasehold.rest.stream;

import static io.leasehold.rest.stack.RestStack.ACME;
import static io.leasehold.rest.stack.RestStack.GLOBEX;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.TenantId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class FairTurnsTest {

  private static final Duration LONG = Duration.ofMinutes(1);
  private static final TenantId INITECH = TenantId.of("00000000-0000-4000-8000-0000000000c3");

  private final FairTurns turns = new FairTurns(2);
  private final List<TenantId> served = new CopyOnWriteArrayList<>();

  @Test
  void areLimitedInNumber() throws InterruptedException {
    assertThat(turns.begin(ACME, LONG)).isTrue();
    assertThat(turns.begin(ACME, LONG)).isTrue();
    assertThat(turns.begin(ACME, Duration.ofMillis(1))).isFalse();

    turns.end();

    assertThat(turns.begin(GLOBEX, Duration.ZERO)).isTrue();
  }

  @Test
  void areGivenToEachTenantHoweverManyRequestsAnotherHas() throws InterruptedException {
    takeAll();
    for (var i = 0; i < 100; i++) {
      standInLine(ACME);
    }
    standInLine(GLOBEX);
    standInLine(INITECH);

    endOne();
    endOne();
    endOne();
    endOne();

    assertThat(served).containsExactly(ACME, GLOBEX, INITECH, ACME);
  }

  @Test
  void areNotLostWhenAWaiterGivesUp() throws InterruptedException {
    takeAll();
    var first = standInLine(ACME);
    standInLine(ACME);
    first.interrupt();
    await().until(() -> turns.waiting() == 1);

    endOne();
    turns.end();

    assertThat(served).containsExactly(ACME);
    assertThat(turns.begin(GLOBEX, Duration.ZERO)).isTrue();
  }

  private void takeAll() throws InterruptedException {
    assertThat(turns.begin(ACME, LONG)).isTrue();
    assertThat(turns.begin(ACME, LONG)).isTrue();
  }

  /** Begins to wait for a turn, which is not ended. */
  private Thread standInLine(TenantId tenant) {
    var before = turns.waiting();
    var thread = Thread.startVirtualThread(() -> begin(tenant));
    await().until(() -> turns.waiting() == before + 1);
    return thread;
  }

  private void begin(TenantId tenant) {
    try {
      if (turns.begin(tenant, LONG)) {
        served.add(tenant);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends a turn, and waits until another tenant has it. */
  private void endOne() {
    var before = served.size();
    turns.end();
    await().until(() -> served.size() == before + 1);
  }
}
