package io.leasehold.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.StopReason;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.outputs.OutputDraft;
import io.leasehold.testkit.Invoices.Invoice;
import io.leasehold.testkit.Invoices.Mail;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

class FakeJobContextTest {

  private final SecurityContext ann =
      SecurityContext.of("ann", new TenantId(UUID.randomUUID())).build();
  private final FakeJobContext job = FakeJobContext.of(ann, Mail.TYPE);

  @Test
  void recordsEventsAndProgress() {
    var output = new Mail().run(job, new Invoice("bob", 7));

    assertThat(output).isEqualTo("mailed 7");
    assertThat(job.told())
        .containsExactly(
            new FakeJobContext.Told("log", "\"mailing Invoice[customer=bob, total=7]\""));
    job.progress(50, "half");
    assertThat(job.lastProgress()).hasValue(new Job.Progress(50, Optional.of("half")));
  }

  @Test
  void runsAStepOnceOverAllAttempts() throws Exception {
    assertThat(job.step("sum", Integer.class, () -> 7)).isEqualTo(7);

    job.nextAttempt();

    assertThat(job.step("sum", Integer.class, () -> 8)).isEqualTo(7);
    assertThat(job.attempt()).isEqualTo(2);
    assertThat(job.fenceToken()).isEqualTo(2);
    assertThat(job.steps()).containsExactly("sum");
  }

  @Test
  void acceptsAStepAsDone() throws Exception {
    job.done("fetch", new Invoice("bob", 7)).done("nothing", null);

    assertThat(job.step("fetch", Invoice.class, () -> new Invoice("eve", 1)))
        .isEqualTo(new Invoice("bob", 7));
    assertThat(job.step("nothing", String.class, () -> "something")).isNull();
  }

  @Test
  void keepsTheLastCheckpoint() {
    assertThat(job.lastCheckpoint(Integer.class)).isEmpty();

    job.checkpoint(List.of(1, 2));
    job.checkpoint(3);

    assertThat(job.lastCheckpoint(Integer.class)).hasValue(3);
  }

  @Test
  void keepsTheHandlersOutputs() throws IOException {
    job.output("a.txt", "text/plain", out -> out.write("one".getBytes(UTF_8)));
    job.output("b.txt", "text/plain", out -> {});
    var left = job.output("a.txt", "text/plain", out -> out.write("two".getBytes(UTF_8)));

    assertThat(job.outputs()).containsExactly("a.txt", "b.txt");
    assertThat(job.bytesOf("a.txt")).isEqualTo("two".getBytes(UTF_8));
    assertThat(left.size()).isEqualTo(3);
    assertThatThrownBy(() -> job.bytesOf("c.txt")).isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> job.output("../a", "text/plain", out -> {}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void resumesADraft() throws IOException {
    OutputDraft.Kept kept;
    try (var draft = job.draft(OutputDraft.Kept.NOTHING)) {
      draft.write("kept".getBytes(UTF_8), 0, 4);
      kept = draft.keep();
      draft.write("not kept".getBytes(UTF_8), 0, 8);
    }
    job.checkpoint(kept);
    job.nextAttempt();

    try (var draft = job.draft(job.lastCheckpoint(OutputDraft.Kept.class).orElseThrow())) {
      assertThat(draft.length()).isEqualTo(4);
      draft.write(" on".getBytes(UTF_8), 0, 3);
      draft.finish("report", "text/plain");
    }

    assertThat(job.bytesOf("report")).isEqualTo("kept on".getBytes(UTF_8));
  }

  @Test
  void isCancelledWhenAsked() {
    assertThat(job.isCancelled()).isFalse();
    job.throwIfCancelled();

    job.cancel();

    assertThat(job.isCancelled()).isTrue();
    assertThatThrownBy(job::throwIfCancelled).isInstanceOf(CancellationException.class);
  }

  @Test
  void canBeAdoptedAndStopped() {
    assertThat(job.isAdopted()).isFalse();
    assertThat(job.stopped()).isEmpty();

    job.adopted().stop(StopReason.RELEASED);

    assertThat(job.isAdopted()).isTrue();
    assertThat(job.stopped()).hasValue(StopReason.RELEASED);
    assertThat(job.isCancelled()).isTrue();
    assertThat(job.nextAttempt().isAdopted()).isFalse();
  }

  @Test
  void readsMetadataAsStored() {
    job.metadata("source", "web")
        .metadata("pages", List.of(1, 2))
        .metadata("none", Optional.empty());

    assertThat(job.metadata()).containsOnly(Map.entry("source", "web"));
    assertThat(job.metadata("pages", int[].class))
        .hasValueSatisfying(pages -> assertThat(pages).containsExactly(1, 2));
    assertThat(job.metadata("source", String.class)).hasValue("web");
    assertThat(job.metadata("none", String.class)).isEmpty();
    assertThat(job.metadata("absent", String.class)).isEmpty();
    assertThatThrownBy(() -> job.metadata("source", Integer.class))
        .isInstanceOf(JobsException.class)
        .hasMessage("metadata 'source' cannot be read as java.lang.Integer");
  }

  @Test
  void hasConfigurableProperties() {
    job.attempt(2, 5).metadata("source", "web").remaining(Duration.ofSeconds(3));

    assertThat(job.caller()).isEqualTo(ann);
    assertThat(job.type()).isEqualTo(Mail.TYPE);
    assertThat(job.attempt()).isEqualTo(2);
    assertThat(job.maxAttempts()).isEqualTo(5);
    assertThat(job.metadata()).containsOnly(Map.entry("source", "web"));
    assertThat(job.remaining()).hasValue(Duration.ofSeconds(3));
  }
}
