package io.leasehold.plans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.leasehold.jobs.JobType;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.plans.process.Command;
import io.leasehold.plans.process.DeleteFolder;
import io.leasehold.testkit.FakeJobContext;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Real servers, one container each; skipped where no engine answers, or has no image of one. */
class ContainerServersTest {

  private static final String IMAGE =
      Optional.ofNullable(System.getenv("LEASEHOLD_TEST_IMAGE")).orElse("postgres:18");
  private static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();
  private static final JobType<String, String> TYPE =
      JobType.restartable(
          "gts.x.core.jobs.handler.v1~acme.tests.plans.containers.v1", String.class, String.class);

  private final FakeJobContext job = FakeJobContext.of(CALLER, TYPE);
  private Path folder;
  private PostgresConfig config;
  private Snapshot snapshot;

  @BeforeEach
  void prepare() throws Exception {
    Programs.requirePsql();
    assumeTrue(
        succeeds("docker", "image", "inspect", IMAGE),
        "no Docker engine answers that has the image " + IMAGE);
    folder = Programs.folder();
    config = PostgresConfig.containers(folder.resolve("servers"), IMAGE);
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

  private static boolean succeeds(String... words) throws InterruptedException {
    try {
      return Command.of(words).run().code() == 0;
    } catch (IOException e) {
      return false; // There is no such program.
    }
  }

  private PlanState<PostgresServer> open(Optional<Snapshot> from) throws Exception {
    return new PostgresRuntime(config).open(job, from);
  }

  private static String containers() throws IOException, InterruptedException {
    return Command.of("docker", "ps", "-a", "-q", "--filter", "label=io.leasehold.plan").succeed();
  }

  @Test
  void comesBackFromItsSnapshot() throws Exception {
    var first = open(Optional.empty());
    first.get().ask("CREATE TABLE account AS SELECT 100 AS balance");
    first.snapshot(snapshot);
    first.get().ask("UPDATE account SET balance = 0");
    assertThat(containers().lines()).hasSize(1);
    first.close();

    job.nextAttempt();
    var second = open(Optional.of(snapshot));

    assertThat(second.get().ask("SELECT balance FROM account")).isEqualTo("100");
    second.abort();
    assertThat(containers()).isEmpty();
  }

  @Test
  void removesWhatAKilledWorkerLeft() throws Exception {
    LeftServer.startContainer(config);
    assertThat(containers()).isNotEmpty();

    open(Optional.empty()).close();

    assertThat(containers()).isEmpty();
    assertThat(folder.resolve("servers")).isEmptyDirectory();
  }
}
