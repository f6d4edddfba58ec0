package io.leasehold.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every runner does. */
abstract class RunnerContract {

  static final Duration LONG = Duration.ofSeconds(60);

  @TempDir Path folder;

  final RunId id = new RunId(new TenantId(UUID.randomUUID()), new JobId(UUID.randomUUID()), 1);

  /** One that another worker of the same place would have. */
  abstract Runner runner();

  /** A script, as the runner can run it. */
  abstract RunSpec script(String script);

  @AfterEach
  void leaveNothing() throws Exception {
    for (var run : runner().all()) {
      runner().remove(run);
    }
  }

  @Test
  void returnsTheLogAndTheExitCode() throws Exception {
    start(id, script("echo one; echo two; exit 3"));

    assertThat(end()).contains(new RunState.Exited(3));
    assertThat(log(0)).isEqualTo("one\ntwo\n");
    assertThat(log(4)).isEqualTo("two\n");
    assertThat(log(8)).isEmpty();
  }

  /** Which line comes first is settled once for all who read. */
  @Test
  void logIncludesStandardError() throws Exception {
    start(id, script("echo out; echo err >&2"));
    end();

    var log = log(0);

    assertThat(log.lines()).containsExactlyInAnyOrder("out", "err");
    assertThat(log(0)).isEqualTo(log);
  }

  @Test
  void startsARunOnce() throws Exception {
    var once = script("echo begun; while [ ! -e go ]; do sleep 0.1; done");
    start(id, once);

    start(id, once);
    start(id, script("echo another"));
    await().atMost(LONG).untilAsserted(() -> assertThat(log(0)).isEqualTo("begun\n"));

    assertThat(runner().find(id)).contains(new RunState.Running());
    runner().stop(id, Duration.ofSeconds(1));
    start(id, once);
    assertThat(log(0)).isEqualTo("begun\n");
  }

  @Test
  void providesFilesAndVariables() throws Exception {
    start(
        id,
        script("cat in/model; echo \"$SIZE and $OTHER\"")
            .with("SIZE", "7 'eight'")
            .with("OTHER", "a=b #c")
            .file("in/model", "the model\n"));

    assertThat(end()).contains(new RunState.Exited(0));
    assertThat(log(0)).isEqualTo("the model\n7 'eight' and a=b #c\n");
  }

  @Test
  void collectsOutputs() throws Exception {
    start(id, script("cd \"$LEASEHOLD_OUTPUTS\"; mkdir sub; echo 1 >a; echo 2 >sub/b; exit 4"));

    assertThat(end()).contains(new RunState.Exited(4));
    var outputs = runner().outputs(id);
    assertThat(outputs.resolve("a")).hasContent("1");
    assertThat(outputs.resolve("sub/b")).hasContent("2");
    assertThat(runner().outputs(id).resolve("a")).hasContent("1");
  }

  @Test
  void stopLetsTheRunEndByItself() throws Exception {
    start(id, script("trap 'echo bye; exit 7' TERM; echo on; while :; do sleep 0.1; done"));
    await().atMost(LONG).until(() -> log(0).equals("on\n"));

    runner().stop(id, Duration.ofSeconds(30));

    assertThat(runner().find(id)).contains(new RunState.Exited(7));
    assertThat(log(0)).startsWith("on\n").endsWith("bye\n");
  }

  @Test
  void stopKillsTheRunAfterTheGrace() throws Exception {
    start(id, script("trap '' TERM; echo on; while :; do sleep 0.1; done"));
    await().atMost(LONG).until(() -> log(0).equals("on\n"));

    runner().stop(id, Duration.ofSeconds(1));

    assertThat(runner().find(id)).isPresent().isNotEqualTo(Optional.of(new RunState.Running()));
  }

  @Test
  void stopOfAnEndedOrUnknownRunDoesNothing() throws Exception {
    start(id, script("exit 0"));
    end();

    runner().stop(id, Duration.ofSeconds(1));
    runner().stop(other(), Duration.ofSeconds(1));

    assertThat(runner().find(id)).contains(new RunState.Exited(0));
    assertThat(runner().find(other())).isEmpty();
  }

  @Test
  void removesTheRunCompletely() throws Exception {
    start(id, script("while :; do sleep 0.1; done"));
    start(other(), script("while :; do sleep 0.1; done"));
    assertThat(runner().all()).containsExactlyInAnyOrder(id, other());

    runner().remove(id);
    runner().remove(id);

    assertThat(runner().find(id)).isEmpty();
    assertThat(runner().all()).containsExactly(other());
    assertThat(runner().find(other())).contains(new RunState.Running());
  }

  /** As after a retry by hand, whose attempts are counted from the start. */
  @Test
  void aRemovedRunCanBeStartedAgain() throws Exception {
    start(id, script("echo first; exit 1"));
    end();
    runner().remove(id);

    start(id, script("echo second"));

    assertThat(end()).contains(new RunState.Exited(0));
    assertThat(log(0)).isEqualTo("second\n");
  }

  /** The worker that prepared the run sleeps, and another one removes the run meanwhile. */
  @Test
  void startsNothingThatWasRemovedSinceItWasPrepared() throws Exception {
    var slow = runner();
    slow.prepare(id, script("echo late"));
    assertThat(runner().find(id)).contains(new RunState.Prepared());

    runner().remove(id);

    assertThatIOException().isThrownBy(() -> slow.start(id, script("echo late")));
    assertThat(runner().find(id)).isEmpty();
  }

  @Test
  void startsARunOnceThatWasPreparedRepeatedly() throws Exception {
    var slow = runner();
    slow.prepare(id, script("echo begun"));
    start(id, script("echo begun"));
    end();

    try {
      slow.start(id, script("echo begun"));
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("start");
    }

    assertThat(end()).contains(new RunState.Exited(0));
    assertThat(log(0)).isEqualTo("begun\n");
  }

  final void start(RunId id, RunSpec spec) throws IOException, InterruptedException {
    var runner = runner();
    runner.prepare(id, spec);
    runner.start(id, spec);
  }

  final RunId other() {
    return new RunId(id.tenant(), id.job(), 2);
  }

  final Optional<RunState> end() throws IOException, InterruptedException {
    return runner().await(id, LONG);
  }

  final String log(long from) throws IOException, InterruptedException {
    try (var log = runner().log(id, from)) {
      return new String(log.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
