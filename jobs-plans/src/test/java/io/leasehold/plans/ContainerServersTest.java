package io.leasehold.plans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Real servers, one container each; skipped where no engine answers, or has no image of one. */
class ContainerServersTest extends ServerSnapshots {

  private static final int SNAPSHOTS = 10;

  @Override
  PostgresConfig config(Path servers) throws InterruptedException {
    return Containers.config(servers);
  }

  @Override
  List<String> left() throws IOException, InterruptedException {
    return Containers.ids();
  }

  @Override
  void killDuringASnapshot() throws IOException {
    LeftServer.startContainerAndSnapshot(config);
  }

  /** It is gone with its container. */
  @Override
  void release(String pid) {}

  private static String container() throws IOException, InterruptedException {
    var ids = Containers.ids();
    assertThat(ids).hasSize(1);
    return ids.getFirst();
  }

  @Test
  void stateIsRestoredFromItsSnapshot() throws Exception {
    var first = open(Optional.empty());
    first.get().ask("CREATE TABLE account AS SELECT 100 AS balance");
    first.snapshot(snapshot(store, 1));
    first.get().ask("UPDATE account SET balance = 0");
    assertThat(Containers.ids()).hasSize(1);
    first.close();

    job.nextAttempt();
    var second = open(Optional.of(snapshot(store, 1)));

    assertThat(second.get().ask("SELECT balance FROM account")).isEqualTo("100");
    second.abort();
    assertThat(Containers.ids()).isEmpty();
  }

  @Test
  void containerSurvivesTenSnapshots() throws Exception {
    var first = open(Optional.empty());
    first.get().ask("CREATE TABLE account (id int)");
    var id = container();
    var startedAt = startedAt(id);

    for (var i = 1; i <= SNAPSHOTS; i++) {
      first.get().ask("INSERT INTO account VALUES (%d)".formatted(i));
      first.snapshot(snapshot(store, i));
      assertThat(container()).isEqualTo(id);
    }

    first.get().ask("DELETE FROM account");
    assertThat(container()).isEqualTo(id);
    assertThat(startedAt(id)).isEqualTo(startedAt);
    await()
        .atMost(LONG)
        .untilAsserted(() -> assertThat(processes(id)).noneMatch(line -> line.contains(") Z ")));
    assertThat(processes(id)).anyMatch(line -> line.contains("(postgres)"));
    first.close();
    job.nextAttempt();
    var second = open(Optional.of(snapshot(store, SNAPSHOTS)));
    assertThat(second.get().ask("SELECT id FROM account ORDER BY id").lines())
        .containsExactlyElementsOf(
            IntStream.rangeClosed(1, SNAPSHOTS).mapToObj(String::valueOf).toList());
    second.close();
    requireNothingLeft();
  }

  private static String startedAt(String id) throws IOException, InterruptedException {
    return Containers.docker("inspect", "-f", "{{.State.StartedAt}} {{.RestartCount}}", id);
  }

  /** As the kernel tells of them, also of those that have ended and were not waited for. */
  private static List<String> processes(String id) throws IOException, InterruptedException {
    var script = "for stat in /proc/[0-9]*/stat; do read -r line < $stat && echo \"$line\"; done";
    return Containers.docker("exec", id, "sh", "-c", script).lines().toList();
  }

  /** The copy needs no container, and the data are whole. */
  @Test
  void containerThatDiesDuringTheCopyIsReplaced() throws Exception {
    var state = open(Optional.empty());
    state.get().ask("CREATE TABLE account AS SELECT 100 AS balance");
    var id = container();
    var disturbed =
        new DisturbedStore(store, 1, () -> Containers.docker("kill", "--signal", "KILL", id));

    state.snapshot(snapshot(disturbed, 1));

    assertThat(state.get().ask("TABLE account")).isEqualTo("100");
    assertThat(container()).isNotEqualTo(id);
    state.close();
    job.nextAttempt();
    var second = open(Optional.of(snapshot(store, 1)));
    assertThat(second.get().ask("TABLE account")).isEqualTo("100");
    second.close();
    requireNothingLeft();
  }

  @Test
  void containerThatDiesWhileItsServerStopsFailsTheSnapshot() throws Exception {
    var first = open(Optional.empty());
    first.get().ask("CREATE TABLE account AS SELECT 100 AS balance");
    first.snapshot(snapshot(store, 1));
    first.get().ask("UPDATE account SET balance = 0");
    var id = container();
    halt(first.get());
    whenStopping(() -> Containers.docker("kill", "--signal", "KILL", id));

    assertThatThrownBy(() -> first.snapshot(snapshot(store, 2))).isInstanceOf(IOException.class);

    assertThat(kept()).containsExactly(snapshot(store, 1).key());
    first.abort();
    job.nextAttempt();
    var second = open(Optional.of(snapshot(store, 1)));
    assertThat(second.get().ask("TABLE account")).isEqualTo("100");
    second.close();
    requireNothingLeft();
  }

  @Test
  void nextAttemptRemovesLeftoversOfAKilledWorker() throws Exception {
    LeftServer.startContainer(config);
    assertThat(Containers.ids()).isNotEmpty();

    open(Optional.empty()).close();

    requireNothingLeft();
  }
}
