package io.leasehold.plans;

import static io.leasehold.engine.HandlerBinder.handlerBinder;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.inject.AbstractModule;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobResult;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.history.EventCursor;
import io.leasehold.jobs.history.JobTask;
import io.leasehold.plans.process.DeleteFolder;
import io.leasehold.testkit.TestDatabase;
import io.leasehold.testkit.TestJobs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The examples of docs/guide/task-plans.md. */
class TaskPlansGuideTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();

  private final List<String> mails = new ArrayList<>();
  private final List<String> shown = new ArrayList<>();
  private Path folder;
  private Path programs;

  record Parts(String scripts, String customer) {}

  static final class Catalogue implements TaskPlan<Parts, Integer, PostgresServer> {

    static final JobType<Parts, Integer> TYPE =
        JobType.restartable(
                "gts.x.core.jobs.handler.v1~acme.parts.catalogue.build.v1",
                Parts.class,
                Integer.class)
            .queue("catalogues")
            .retry(RetryPolicy.exponential(5))
            .checkRequest(SnapshotModes.of(SnapshotMode.ALWAYS, SnapshotMode.FINAL));

    private final List<String> mails;

    Catalogue(List<String> mails) {
      this.mails = mails;
    }

    @Override
    public List<Task<PostgresServer, ?>> tasks(Parts parts) {
      var scripts = Path.of(parts.scripts());
      return List.of(
          SqlFile.task("schema", scripts.resolve("schema.sql")),
          SqlFile.task("load", scripts.resolve("load.sql")),
          Task.of("count", Integer.class, Catalogue::count),
          Task.<PostgresServer>doing("mail", task -> mail(parts, task)).outside());
    }

    private static Integer count(TaskContext<PostgresServer> task) throws Exception {
      return Integer.valueOf(task.state().ask("SELECT count(*) FROM part"));
    }

    private void mail(Parts parts, TaskContext<PostgresServer> task) {
      mails.add(parts.customer() + ": " + task.output("count", Integer.class) + " parts");
    }

    @Override
    public Integer result(Parts parts, TaskOutputs outputs) {
      return outputs.of("count", Integer.class);
    }
  }

  static final class CataloguesModule extends AbstractModule {

    private final Path folder;
    private final Path programs;
    private final List<String> mails;

    CataloguesModule(Path folder, Path programs, List<String> mails) {
      this.folder = folder;
      this.programs = programs;
      this.mails = mails;
    }

    @Override
    protected void configure() {
      var servers = new PostgresRuntime(PostgresConfig.local(folder.resolve("servers"), programs));
      var snapshots = new FolderStore(folder.resolve("snapshots"));
      handlerBinder(binder())
          .handle(Catalogue.TYPE)
          .with(PlanHandler.of(new Catalogue(mails), servers, snapshots));
      handlerBinder(binder()).removeWithJobs(snapshots);
    }
  }

  @BeforeEach
  void prepare() throws Exception {
    Programs.requirePsql();
    programs = Programs.ofServer(database);
    folder = Programs.folder();
    Files.writeString(folder.resolve("schema.sql"), "CREATE TABLE part (id int);");
    Files.writeString(folder.resolve("load.sql"), "INSERT INTO part SELECT 1 / 0;");
  }

  @AfterEach
  void clear() throws IOException {
    if (folder != null) {
      DeleteFolder.delete(folder);
    }
  }

  @Test
  void resumesWhereItFailed() throws IOException {
    try (var jobs = TestJobs.on(database, new CataloguesModule(folder, programs, mails))) {
      var parts = new Parts(folder.toString(), "bob");
      var id = jobs.service().submit(CALLER, Catalogue.TYPE.request(parts)).jobId();
      jobs.runDue();
      show(jobs.service(), CALLER, id);

      Files.writeString(
          folder.resolve("load.sql"), "INSERT INTO part SELECT generate_series(1, 7);");
      jobs.moveTime(id, Duration.ofHours(2));
      jobs.runDue();
      show(jobs.service(), CALLER, id);

      assertThat(jobs.service().result(CALLER, id, Integer.class))
          .isEqualTo(new JobResult.Succeeded<>(7));
    }
    assertThat(mails).containsExactly("bob: 7 parts");
    assertThat(shown)
        .containsExactly(
            "schema succeeded",
            "load failed",
            "count pending",
            "mail pending",
            "schema skipped",
            "load succeeded",
            "count succeeded",
            "mail succeeded");
  }

  @Test
  void requestChoosesASnapshotMode() throws IOException {
    Files.writeString(folder.resolve("load.sql"), "INSERT INTO part SELECT generate_series(1, 7);");
    try (var jobs = TestJobs.on(database, new CataloguesModule(folder, programs, mails))) {
      var id = submitInShort(jobs.service(), CALLER, new Parts(folder.toString(), "bob"));
      jobs.runDue();

      assertThat(jobs.service().result(CALLER, id, Integer.class))
          .isEqualTo(new JobResult.Succeeded<>(7));
      var told = jobs.service().events(CALLER, id, EventCursor.BEGIN, 1_000).orElseThrow();
      assertThat(told.events().stream().filter(event -> event.body().contains("\"snapshot\":")))
          .singleElement()
          .satisfies(event -> assertThat(event.body()).contains("\"task_id\":\"mail\""));
    }
  }

  private JobId submitInShort(JobService jobs, SecurityContext caller, Parts parts) {
    var request = SnapshotModes.choose(Catalogue.TYPE.request(parts), SnapshotMode.FINAL);
    return jobs.submit(caller, request).jobId();
  }

  private void show(JobService jobs, SecurityContext caller, JobId id) {
    for (JobTask task : jobs.tasks(caller, id).orElseThrow()) {
      shown.add(task.id() + " " + task.status().word());
    }
  }
}
