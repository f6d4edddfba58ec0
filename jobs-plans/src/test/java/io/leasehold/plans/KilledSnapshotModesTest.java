package io.leasehold.plans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobResult;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.plans.process.DeleteFolder;
import io.leasehold.testkit.FakeJobContext;
import io.leasehold.testkit.TestDatabase;
import io.leasehold.testkit.TestJobs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jobs of each snapshot mode on real servers, one of which is killed in its last task. */
class KilledSnapshotModesTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final Duration LONG = Duration.ofMinutes(2);

  /** Too long to be lost on a busy machine; of a killed worker it is moved into the past. */
  private static final Duration LEASE = Duration.ofSeconds(60);

  private static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();

  private Path programs;
  private Path folder;
  private FolderStore store;
  private TestJobs jobs;

  @BeforeEach
  void prepare() throws Exception {
    Programs.requirePsql();
    programs = Programs.ofServer(database);
    folder = Programs.folder();
    store = new FolderStore(folder.resolve("snapshots"));
    jobs = TestJobs.on(database);
  }

  @AfterEach
  void clear() throws IOException {
    if (jobs != null) {
      jobs.close();
      DeleteFolder.delete(folder);
    }
  }

  private JobId submit(SnapshotMode mode, String input) {
    var request = SnapshotModes.choose(Ledger.TYPE.request(input), mode);
    return jobs.service().submit(CALLER, request).jobId();
  }

  private void finish(JobId id) throws IOException {
    try (var _ = PlanWorker.start(database, folder, programs, LEASE)) {
      await()
          .atMost(LONG)
          .until(() -> jobs.service().find(CALLER, id).orElseThrow().status().isFinal());
    }
    assertThat(jobs.service().result(CALLER, id, String.class))
        .isEqualTo(new JobResult.Succeeded<>("100"));
  }

  private void killInTheLastTask(JobId id) throws Exception {
    try (var worker = PlanWorker.start(database, folder, programs, LEASE)) {
      await().atMost(LONG).until(() -> begun(id).getLast().startsWith("1 sum"));
      worker.kill();
    }
    jobs.moveTime(id, LEASE);
  }

  private List<String> begun(JobId id) throws IOException {
    var begun = Ledger.begun(folder, id.toString());
    return begun.isEmpty() ? List.of("nothing") : begun;
  }

  private List<String> snapshots(JobId id) throws IOException {
    return Ledger.snapshots(store.kept(CALLER.tenant(), id));
  }

  private void requireWholeState(JobId id) throws Exception {
    var key = store.kept(CALLER.tenant(), id).getFirst();
    var servers = new PostgresRuntime(PostgresConfig.local(folder.resolve("servers"), programs));
    var state =
        servers.open(FakeJobContext.of(CALLER, Ledger.TYPE), Optional.of(new Snapshot(store, key)));
    try {
      assertThat(state.get().ask("TABLE entry")).isEqualTo("100");
    } finally {
      state.close();
    }
  }

  @Test
  void alwaysHasASnapshotAfterEachTaskAndResumesFromTheLast() throws Exception {
    var undisturbed = submit(SnapshotMode.ALWAYS, "");
    finish(undisturbed);
    assertThat(begun(undisturbed))
        .containsExactly("1 make []", "1 fill [make]", "1 mail [fill]", "1 sum [fill]");
    assertThat(snapshots(undisturbed)).containsExactly("sum");

    var killed = submit(SnapshotMode.ALWAYS, Ledger.HELD);
    killInTheLastTask(killed);
    assertThat(snapshots(killed)).containsExactly("fill");
    finish(killed);

    assertThat(begun(killed))
        .containsExactly(
            "1 make []", "1 fill [make]", "1 mail [fill]", "1 sum [fill]", "2 sum [fill]");
    assertThat(snapshots(killed)).containsExactly("sum");
    requireWholeState(killed);
  }

  @Test
  void finalHasASnapshotAtTheEndAndRestartsWithAnEmptyState() throws Exception {
    var undisturbed = submit(SnapshotMode.FINAL, "");
    finish(undisturbed);
    assertThat(begun(undisturbed))
        .containsExactly("1 make []", "1 fill []", "1 mail []", "1 sum []");
    assertThat(snapshots(undisturbed)).containsExactly("sum");

    var killed = submit(SnapshotMode.FINAL, Ledger.HELD);
    killInTheLastTask(killed);
    assertThat(snapshots(killed)).isEmpty();
    finish(killed);

    assertThat(begun(killed))
        .containsExactly(
            "1 make []",
            "1 fill []",
            "1 mail []",
            "1 sum []",
            "2 make []",
            "2 fill []",
            "2 sum []");
    assertThat(snapshots(killed)).containsExactly("sum");
    requireWholeState(killed);
  }

  @Test
  void noneHasNoSnapshotAndRestartsWithAnEmptyState() throws Exception {
    var undisturbed = submit(SnapshotMode.NONE, "");
    finish(undisturbed);
    assertThat(begun(undisturbed))
        .containsExactly("1 make []", "1 fill []", "1 mail []", "1 sum []");
    assertThat(snapshots(undisturbed)).isEmpty();

    var killed = submit(SnapshotMode.NONE, Ledger.HELD);
    killInTheLastTask(killed);
    assertThat(snapshots(killed)).isEmpty();
    finish(killed);

    assertThat(begun(killed))
        .containsExactly(
            "1 make []",
            "1 fill []",
            "1 mail []",
            "1 sum []",
            "2 make []",
            "2 fill []",
            "2 sum []");
    assertThat(snapshots(killed)).isEmpty();
  }
}
