package io.leasehold.engine.work.outputs;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.maintenance.TestQueue;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SweepOutputsTest {

  @RegisterExtension static final TestQueue queue = new TestQueue();

  @Test
  void continuesAfterAFileThatCannotBeRemoved() {
    var store = new StubbornStore();

    new SweepOutputs(queue.transactions(), new OutputTerms(Optional.of(store), 1)).sweep();

    assertThat(store.asked()).containsExactlyInAnyOrderElementsOf(StubbornStore.JOBS);
  }
}
