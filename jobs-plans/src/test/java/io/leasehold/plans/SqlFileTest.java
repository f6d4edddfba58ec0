package io.leasehold.plans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryLater;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.FakeJobContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqlFileTest {

  private static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();
  private static final JobType<String, String> TYPE =
      JobType.restartable(
          "gts.x.core.jobs.handler.v1~acme.tests.plans.files.v1", String.class, String.class);

  @TempDir Path folder;

  /** The first task has the file of the second changed, as a new version of the service may. */
  private record Changing(Path file) implements TaskPlan<String, String, PostgresServer> {

    @Override
    public List<Task<PostgresServer, ?>> tasks(String input) {
      return List.of(
          Task.<PostgresServer>doing("deploy", _ -> Files.writeString(file, "SELECT 2;")).outside(),
          SqlFile.task("load", file));
    }

    @Override
    public String result(String input, TaskOutputs outputs) {
      return "done";
    }
  }

  @Test
  void jobIsPutOffIfTheFileChangedMeanwhile() throws Exception {
    var file = Files.writeString(folder.resolve("load.sql"), "SELECT 1;");
    var job = FakeJobContext.of(CALLER, TYPE);
    PlanRuntime<PostgresServer> none =
        (_, _) -> {
          throw new IllegalStateException("no server is asked for");
        };
    var handler =
        PlanHandler.of(new Changing(file), none, new FolderStore(folder.resolve("snapshots")));

    assertThatThrownBy(() -> handler.run(job, "")).isInstanceOf(RetryLater.class);
    assertThat(job.told().getLast().body()).contains("\"load\"", "\"pending\"");
  }
}
