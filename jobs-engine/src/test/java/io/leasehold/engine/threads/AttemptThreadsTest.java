package io.leasehold.engine.threads;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.jobs.JobId;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class AttemptThreadsTest {

  private static final JobId JOB = new JobId(new UUID(1, 1));

  @Test
  void anAttemptWithoutAThreadIsReturned() {
    var noMemory = new OutOfMemoryError("unable to create native thread");
    List<Throwable> refused = new ArrayList<>();
    var threads =
        new AttemptThreads(
            _ -> {
              throw noMemory;
            });

    threads.start(JOB, () -> {}, refused::add);

    assertThat(refused).containsExactly(noMemory);
  }

  @Test
  void anAttemptRunsOnAVirtualThreadWithItsJobsName() throws InterruptedException {
    List<Thread> ran = new ArrayList<>();
    List<Thread> started = new ArrayList<>();
    var threads =
        new AttemptThreads(
            attempt -> {
              started.add(Thread.ofVirtual().unstarted(attempt));
              return started.getFirst();
            });

    threads.start(JOB, () -> ran.add(Thread.currentThread()), AssertionError::new);
    started.getFirst().join();

    assertThat(ran).isEqualTo(started);
    assertThat(ran.getFirst().getName()).isEqualTo("job " + JOB);
  }
}
