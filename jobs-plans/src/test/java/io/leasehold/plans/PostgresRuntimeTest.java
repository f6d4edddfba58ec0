package io.leasehold.plans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.jobs.JobType;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.plans.process.DeleteFolder;
import io.leasehold.testkit.FakeJobContext;
import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Real servers, as processes of this machine. */
class PostgresRuntimeTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();
  private static final JobType<String, String> TYPE =
      JobType.restartable(
          "gts.x.core.jobs.handler.v1~acme.tests.plans.servers.v1", String.class, String.class);

  private final FakeJobContext job = FakeJobContext.of(CALLER, TYPE);
  private Path folder;
  private PostgresConfig config;
  private Snapshot snapshot;

  @BeforeEach
  void prepare() throws Exception {
    Programs.requirePsql();
    var programs = Programs.ofServer(database);
    folder = Programs.folder();
    config = PostgresConfig.local(folder.resolve("servers"), programs);
    snapshot =
        new Snapshot(
            new FolderStore(folder.resolve("snapshots")),
            new SnapshotKey(CALLER.tenant(), job.id(), "load-1f.1"));
  }

  @AfterEach
  void deleteFolder() throws IOException {
    if (folder != null) {
      DeleteFolder.delete(folder);
    }
  }

  private PlanState<PostgresServer> open(Optional<Snapshot> from) throws Exception {
    return new PostgresRuntime(config).open(job, from);
  }

  private List<ProcessHandle> servers() {
    var words = folder.toString();
    return ProcessHandle.allProcesses()
        .filter(
            process ->
                process
                    .info()
                    .arguments()
                    .filter(
                        arguments ->
                            Arrays.stream(arguments).anyMatch(one -> one.startsWith(words)))
                    .isPresent())
        .toList();
  }

  @Test
  void isRestoredFromItsSnapshot() throws Exception {
    var first = open(Optional.empty());
    first.get().ask("CREATE TABLE account AS SELECT 100 AS balance");
    first.snapshot(snapshot);
    first.get().ask("UPDATE account SET balance = 0");
    first.close();

    job.nextAttempt();
    var second = open(Optional.of(snapshot));

    assertThat(second.get().ask("SELECT balance FROM account")).isEqualTo("100");
    second.close();
    assertThat(servers()).isEmpty();
    assertThat(folder.resolve("servers")).isEmptyDirectory();
  }

  @Test
  void isReachableOnlyByItsSocket() throws Exception {
    var state = open(Optional.empty());

    assertThat(state.get().ask("SHOW listen_addresses")).isEmpty();
    assertThat(Files.getPosixFilePermissions(state.get().sockets())).hasSize(3);
    state.abort();
    assertThat(servers()).isEmpty();
  }

  @Test
  void appliesSettings() throws Exception {
    config = config.setting("work_mem", "5MB").setting("application_name", "it's");
    var state = open(Optional.empty());

    assertThat(state.get().ask("SHOW work_mem")).isEqualTo("5MB");
    state.close();
  }

  @Test
  void stopsAFileAtItsFirstError() throws Exception {
    var file = folder.resolve("load.sql");
    Files.writeString(file, "SELECT 1;\nSELECT 1 / :'by'::int;\nCREATE TABLE never ();\n");
    var state = open(Optional.empty());

    assertThatThrownBy(() -> state.get().run(file, Map.of("by", "0")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("psql ended with 3")
        .hasMessageContaining("division by zero");
    assertThat(state.get().ask("SELECT to_regclass('never') IS NULL")).isEqualTo("t");
    state.close();
  }

  @Test
  void reportsTheErrorOfAFileAndNotItsRows() throws Exception {
    var file = folder.resolve("report.sql");
    Files.writeString(
        file, "SELECT 'row ' || i FROM generate_series(1, 5000) AS i;\nSELECT 1 / 0;\n");
    var state = open(Optional.empty());

    assertThatThrownBy(() -> state.get().run(file))
        .hasMessageContaining("division by zero")
        .message()
        .hasSizeLessThan(1_000)
        .doesNotContain("row 4999");
    state.close();
  }

  @Test
  void returnsOnlyRows() throws Exception {
    var state = open(Optional.empty());
    var warning = "DO $$ BEGIN RAISE WARNING 'by the way'; END $$; ";

    assertThat(state.get().ask(warning + "SELECT 7")).isEqualTo("7");
    assertThat(state.get().ask("SELECT generate_series(1, 20000)").lines()).hasSize(20_000);
    assertThatThrownBy(() -> state.get().ask("SELECT repeat('x', 1048577)"))
        .hasMessageContaining("may say 1048576");
    state.close();
  }

  /** Which may name the platform's own database. */
  @Test
  void usesItsOwnServerWhateverTheEnvironmentNames() throws Exception {
    var names =
        Map.of(
            "PGHOSTADDR", "127.0.0.1",
            "PGPORT", "1",
            "PGSERVICE", "platform",
            "PGREQUIREAUTH", "scram-sha-256");
    var servers = config.folder().toString();

    var process =
        PlanProcess.start(
            AskingMain.class, names, servers, config.programs().orElseThrow().toString());

    try (var said = process.inputReader()) {
      assertThat(said.readLine()).startsWith(servers);
    }
    assertThat(process.waitFor()).isZero();
  }

  @Test
  void removesLeftoversOfAKilledWorker() throws Exception {
    var killed = LeftServer.start(config);

    assertThat(servers()).isNotEmpty();
    open(Optional.empty()).close();

    assertThat(servers()).isEmpty();
    assertThat(folder.resolve("servers")).isEmptyDirectory();
    assertThat(killed.isAlive()).isFalse();
  }

  @Test
  void leavesTheServersOfLivingAttempts() throws Exception {
    var first = open(Optional.empty());
    first.get().ask("CREATE TABLE account ()");
    job.nextAttempt();

    open(Optional.empty()).close();

    assertThat(first.get().ask("SELECT count(*) FROM account")).isEqualTo("0");
    first.close();
  }

  @Test
  void saysWhyAServerDoesNotStart() throws Exception {
    config = config.setting("shared_buffers", "a lot");
    var state = open(Optional.empty());

    assertThatThrownBy(state::get).hasMessageContaining("shared_buffers");
    state.abort();
  }
}
