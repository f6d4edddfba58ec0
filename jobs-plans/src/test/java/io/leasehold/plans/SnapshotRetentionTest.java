package io.leasehold.plans;

import static io.leasehold.engine.HandlerBinder.handlerBinder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import io.leasehold.db.DbConfig;
import io.leasehold.db.Secret;
import io.leasehold.db.SecureDatabase;
import io.leasehold.db.SecureDbModule;
import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.EngineModule;
import io.leasehold.engine.JobEngine;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import io.leasehold.testkit.TestJobs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots are there as long as their jobs are. */
class SnapshotRetentionTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();
  private static final JobType<String, String> TYPE =
      JobType.restartable(
          "gts.x.core.jobs.handler.v1~acme.tests.plans.kept.v1", String.class, String.class);

  @TempDir Path folder;

  /** Writes down its input. */
  private static final class Notes implements TaskPlan<String, String, Path> {

    @Override
    public List<Task<Path, ?>> tasks(String input) {
      return List.of(
          Task.of(
              "note",
              String.class,
              task -> Files.writeString(task.state().resolve("note"), input).toString()));
    }

    @Override
    public String result(String input, TaskOutputs outputs) {
      return "done";
    }
  }

  private final class NotesModule extends AbstractModule {

    @Override
    protected void configure() {
      var snapshots = new FolderStore(folder.resolve("snapshots"));
      var states = new FolderStates(folder.resolve("states"));
      handlerBinder(binder()).handle(TYPE).with(PlanHandler.of(new Notes(), states, snapshots));
      handlerBinder(binder()).removeWithJobs(snapshots);
    }
  }

  @Test
  void areRemovedWithTheirJobAndLeftoversOfKilledAttemptsBefore() throws IOException {
    JobId gone;
    JobId kept;
    try (var jobs = TestJobs.on(database, new NotesModule())) {
      gone = jobs.service().submit(CALLER, TYPE.request("a")).jobId();
      kept = jobs.service().submit(CALLER, TYPE.request("b")).jobId();
      jobs.runDue();
      Files.createDirectories(folderOf(kept).resolve(".half-killed/whole/deep"));
      Files.createFile(folderOf(kept).resolve(".half-killed.lock"));
      jobs.service().delete(CALLER, gone);
    }
    assertThat(folderOf(gone)).isDirectoryContaining(file -> file.toString().contains("note-"));

    maintain(() -> !Files.exists(folderOf(gone)) && names(folderOf(kept)).size() == 1);

    assertThat(names(folderOf(kept))).singleElement().matches(SnapshotKey::isName);
  }

  private Path folderOf(JobId id) {
    return folder.resolve("snapshots/%s/%s".formatted(CALLER.tenant(), id));
  }

  private static List<String> names(Path folder) {
    return List.of(folder.toFile().list());
  }

  // Does none of the jobs: of the places it knows, as one that does.
  private void maintain(Callable<Boolean> done) {
    var secret = new Secret(TestDatabase.PASSWORD);
    var injector =
        Guice.createInjector(
            new SecureDbModule(
                DbConfig.of(database.jdbcUrl(), secret, secret).fsyncRequired(false).build()),
            new EngineModule(EngineConfig.defaults().roles(Set.of(EngineConfig.Role.MAINTENANCE))),
            new NotesModule());
    var secure = injector.getInstance(SecureDatabase.class);
    var engine = injector.getInstance(JobEngine.class);
    secure.start();
    engine.start();
    try {
      await().atMost(LONG).until(done);
    } finally {
      engine.stop(LONG);
      secure.close();
    }
  }
}
