package io.leasehold.plans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.PermanentFailure;
import io.leasehold.jobs.RetryLater;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.FakeJobContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attempts at a plan, one after the other, without a database. The state is a file of letters. */
class PlanHandlerTest {

  private static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();
  private static final JobType<String, String> TYPE =
      JobType.restartable(
          "gts.x.core.jobs.handler.v1~acme.tests.plans.letters.v1", String.class, String.class);

  @TempDir Path folder;

  private final FakeJobContext job = FakeJobContext.of(CALLER, TYPE);
  private final List<String> done = new ArrayList<>();
  private final List<Task<Path, ?>> tasks = new ArrayList<>();
  private FolderStates states;
  private FolderStore store;

  @BeforeEach
  void makeFolders() {
    states = new FolderStates(folder.resolve("states"));
    store = new FolderStore(folder.resolve("snapshots"));
  }

  /** The letters in the state are what the job gives. */
  private final class Letters implements TaskPlan<String, String, Path> {

    @Override
    public List<Task<Path, ?>> tasks(String input) {
      return List.copyOf(tasks);
    }

    @Override
    public String result(String input, TaskOutputs outputs) {
      return outputs.of(tasks.getLast().id(), String.class);
    }
  }

  private PlanHandler<String, String, Path> handler() {
    return PlanHandler.of(new Letters(), states, store);
  }

  private String run(SnapshotMode mode) throws Exception {
    states.said().clear();
    done.clear();
    return handler().run(choose(job, mode), "");
  }

  private static FakeJobContext choose(FakeJobContext job, SnapshotMode mode) {
    var chosen = SnapshotModes.choose(TYPE.request(""), mode);
    chosen.metadata().forEach(job::metadata);
    return job;
  }

  private Task<Path, String> letter(String id) {
    return Task.of(
        id,
        String.class,
        task -> {
          done.add(id);
          return write(task.state(), id);
        });
  }

  private Task<Path, String> outside(String id) {
    return Task.<Path, String>of(
            id,
            String.class,
            _ -> {
              done.add(id);
              return id;
            })
        .outside();
  }

  private Task<Path, String> failing(String id, Exception failure) {
    return Task.of(
        id,
        String.class,
        task -> {
          write(task.state(), "half of " + id);
          throw failure;
        });
  }

  private static Task<Path, String> failingOutside(String id) {
    return Task.<Path, String>of(
            id,
            String.class,
            _ -> {
              throw new IOException("no paper");
            })
        .outside();
  }

  private static String write(Path state, String letter) throws IOException {
    var file = state.resolve("letters");
    Files.writeString(file, letter, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    return Files.readString(file);
  }

  private List<String> told() {
    return job.told().stream()
        .map(
            event ->
                event.body().replaceAll(".*\"task_id\":\"(.*?)\".*\"status\":\"(.*?)\".*", "$1 $2"))
        .toList();
  }

  private void fails(SnapshotMode mode, Exception failure) {
    assertThatThrownBy(() -> run(mode)).hasStackTraceContaining(failure.getMessage());
  }

  @SafeVarargs
  private void plan(Task<Path, ?>... all) {
    tasks.clear();
    for (var task : all) {
      tasks.add(task);
    }
  }

  @Test
  void runsTheTasksInTheirOrder() throws Exception {
    plan(letter("a"), letter("b"), letter("c"));

    assertThat(run(SnapshotMode.ALWAYS)).isEqualTo("abc");
    assertThat(told())
        .containsExactly(
            "a pending",
            "b pending",
            "c pending",
            "a running",
            "a succeeded",
            "b running",
            "b succeeded",
            "c running",
            "c succeeded");
    assertThat(job.lastProgress().orElseThrow().percent()).isEqualTo(100);
    assertThat(states.said())
        .containsExactly("empty", "snapshot", "snapshot", "snapshot", "closed");
  }

  @Test
  void keepsOneSnapshotAndNamesIt() throws Exception {
    plan(letter("a"), letter("b"));

    run(SnapshotMode.ALWAYS);

    assertThat(snapshots()).hasSize(1);
    assertThat(job.told().getLast().body())
        .contains("\"snapshot\":\"%s\"".formatted(snapshots().getFirst()));
  }

  private List<String> snapshots() throws IOException {
    var tenantFolder = folder.resolve("snapshots").resolve(CALLER.tenant().toString());
    try (var names = Files.list(tenantFolder.resolve(job.id().toString()))) {
      return names.map(name -> name.getFileName().toString()).toList();
    }
  }

  @Test
  void resumesAtTheTaskThatFailed() throws Exception {
    plan(letter("a"), failing("b", new IOException("no paper")), letter("c"));
    assertThatThrownBy(() -> run(SnapshotMode.ALWAYS))
        .isInstanceOf(TaskFailure.class)
        .hasMessage("task b failed: java.io.IOException: no paper");
    assertThat(states.said()).containsExactly("empty", "snapshot", "aborted");
    job.nextAttempt();

    plan(letter("a"), letter("b"), letter("c"));

    assertThat(run(SnapshotMode.ALWAYS)).isEqualTo("abc");
    assertThat(done).containsExactly("b", "c");
    assertThat(states.said()).containsExactly("restored", "snapshot", "snapshot", "closed");
    assertThat(told())
        .endsWith(
            "b failed",
            "a skipped",
            "b pending",
            "c pending",
            "b running",
            "b succeeded",
            "c running",
            "c succeeded");
  }

  @Test
  void needsNoStateWhenAllTasksAreDone() throws Exception {
    plan(letter("a"), letter("b"));
    run(SnapshotMode.NONE);

    assertThat(run(SnapshotMode.NONE)).isEqualTo("ab");
    assertThat(done).isEmpty();
    assertThat(states.said()).isEmpty();
  }

  @Test
  void repeatsOnlyTasksThatAreInNoSnapshot() throws Exception {
    plan(letter("a"), outside("mail"), failing("b", new IOException("no paper")));
    fails(SnapshotMode.NONE, new IOException("no paper"));

    plan(letter("a"), outside("mail"), letter("b"));

    assertThat(run(SnapshotMode.NONE)).isEqualTo("ab");
    assertThat(done).containsExactly("a", "b");
    assertThat(states.said()).containsExactly("empty", "closed");
  }

  @Test
  void savesTheStateOnceAtTheEndInModeFinal() throws Exception {
    plan(letter("a"), letter("b"), outside("mail"));

    run(SnapshotMode.FINAL);

    assertThat(states.said()).containsExactly("empty", "snapshot", "closed");
  }

  @Test
  void repeatsTheTasksOfAFinalSnapshot() throws Exception {
    plan(letter("a"), outside("mail"), failingOutside("b"));
    fails(SnapshotMode.FINAL, new IOException("no paper"));

    plan(letter("a"), outside("mail"), outside("b"));
    run(SnapshotMode.FINAL);

    assertThat(done).containsExactly("a", "b");
    assertThat(states.said()).containsExactly("empty", "snapshot", "closed");
  }

  @Test
  void repeatsAChangedTaskAndAllThatFollow() throws Exception {
    plan(letter("a"), letter("b").input("1"), letter("c"));
    run(SnapshotMode.ALWAYS);

    plan(letter("a"), letter("b").input("2"), letter("c"));

    assertThat(run(SnapshotMode.ALWAYS)).isEqualTo("abc");
    assertThat(done).containsExactly("a", "b", "c");
    assertThat(states.said()).startsWith("empty");
  }

  @Test
  void keepsOneSnapshotOfAPlanThatChanged() throws Exception {
    plan(letter("a"), letter("b").input("1"));
    run(SnapshotMode.ALWAYS);
    job.nextAttempt();

    plan(letter("a"), letter("b").input("2"));
    run(SnapshotMode.ALWAYS);

    assertThat(snapshots()).hasSize(1);
  }

  /** As when the worker is killed before it deletes them. */
  @Test
  void removesSnapshotsOfAnEarlierAttempt() throws Exception {
    plan(letter("a"));
    run(SnapshotMode.ALWAYS);
    var left = snapshots().getFirst();
    plan(letter("a"), letter("b"));
    run(SnapshotMode.ALWAYS);
    store.save(key(left), states.root());
    job.nextAttempt();

    run(SnapshotMode.ALWAYS);

    assertThat(done).isEmpty();
    assertThat(snapshots()).hasSize(1).doesNotContain(left);
  }

  private SnapshotKey key(String name) {
    return new SnapshotKey(CALLER.tenant(), job.id(), name);
  }

  /** Its worker slept while it copied, and goes on before it hears that the job is not its own. */
  @Test
  void resumesFromTheNewestSnapshotInSpiteOfAStaleAttempt() throws Exception {
    job.nextAttempt();
    plan(letter("a"), failing("b", new IOException("no paper")));
    fails(SnapshotMode.ALWAYS, new IOException("no paper"));
    var overtaken = key(snapshots().getFirst().replaceFirst("2$", "1"));
    var other = Files.createDirectories(folder.resolve("other"));
    write(other, "of the overtaken: a");
    store.save(overtaken, other);
    job.nextAttempt();

    plan(letter("a"), letter("b"));

    assertThat(run(SnapshotMode.ALWAYS)).isEqualTo("ab");
    assertThat(snapshots()).hasSize(1);
  }

  /** The other way round: it is this attempt that was overtaken. */
  @Test
  void deletesNoSnapshotOfALaterAttempt() throws Exception {
    plan(letter("a"), letter("b"));
    var other = Files.createDirectories(folder.resolve("other"));
    var later = key("c-3d.2");
    store.save(later, other);

    run(SnapshotMode.ALWAYS);

    assertThat(snapshots()).hasSize(2).contains(later.name());
  }

  @Test
  void namesTheSnapshotOfATaskThatIsSkipped() throws Exception {
    plan(letter("a"), failingOutside("b"));
    fails(SnapshotMode.ALWAYS, new IOException("no paper"));
    job.nextAttempt();

    plan(letter("a"), outside("b"));
    run(SnapshotMode.ALWAYS);

    assertThat(job.told().stream().filter(event -> event.body().contains("skipped")))
        .singleElement()
        .satisfies(event -> assertThat(event.body()).contains(snapshots().getFirst()));
  }

  @Test
  void reportsThatATaskFailedWhateverItThrows() {
    plan(
        Task.<Path, String>of(
            "a",
            String.class,
            _ -> {
              throw new AssertionError("no paper");
            }));

    assertThatThrownBy(() -> run(SnapshotMode.ALWAYS)).isInstanceOf(AssertionError.class);
    assertThat(told()).endsWith("a running", "a failed");
  }

  @Test
  void savesNoSnapshotsOfAnInMemoryJob() throws Exception {
    var inMemory = JobType.inMemory(TYPE.handler().value(), String.class, String.class);
    var memoryJob = FakeJobContext.of(CALLER, inMemory);
    plan(letter("a"));

    assertThatThrownBy(() -> handler().run(memoryJob, ""))
        .hasMessage(
            "a job in memory keeps no snapshots: its snapshot mode must be none, not always");
    assertThat(handler().run(choose(memoryJob, SnapshotMode.NONE), "")).isEqualTo("a");
  }

  @Test
  void defaultOfTheTypeAppliesToAJobThatChoosesNothing() throws Exception {
    var type = TYPE.checkRequest(SnapshotModes.of(SnapshotMode.FINAL));
    plan(letter("a"), letter("b"));

    handler().run(FakeJobContext.of(CALLER, type), "");

    assertThat(states.said()).containsExactly("empty", "snapshot", "closed");
  }

  @Test
  void jobWithAModeThatItsTypeDoesNotAllowFailsForGood() {
    var type = TYPE.checkRequest(SnapshotModes.of(SnapshotMode.ALWAYS, SnapshotMode.FINAL));
    var other = choose(FakeJobContext.of(CALLER, type), SnapshotMode.NONE);
    plan(letter("a"));

    assertThatThrownBy(() -> handler().run(other, ""))
        .isInstanceOf(PermanentFailure.class)
        .hasMessage("snapshot mode must be one of [always, final], not none");
    assertThat(done).isEmpty();
  }

  @Test
  void repeatsNoTaskBeforeANewOne() throws Exception {
    plan(letter("a"), letter("b"));
    run(SnapshotMode.ALWAYS);

    plan(letter("a"), letter("b"), letter("c"));

    assertThat(run(SnapshotMode.ALWAYS)).isEqualTo("abc");
    assertThat(done).containsExactly("c");
    assertThat(states.said()).startsWith("restored");
  }

  @Test
  void restartsIfTheSnapshotIsMissing() throws Exception {
    plan(letter("a"), letter("b"), failing("c", new IOException("no paper")));
    fails(SnapshotMode.ALWAYS, new IOException("no paper"));
    store.deleteAll(CALLER.tenant(), job.id());

    plan(letter("a"), letter("b"), letter("c"));

    assertThat(run(SnapshotMode.ALWAYS)).isEqualTo("abc");
    assertThat(done).containsExactly("a", "b", "c");
  }

  /** As when the worker is killed at that moment. */
  @Test
  void repeatsATaskWhoseOutputIsMissing() throws Exception {
    plan(letter("a"), letter("b"), letter("c"));
    var breaking = new BreakingStore(store, 2, true);
    assertThatThrownBy(() -> PlanHandler.of(new Letters(), states, breaking).run(job, ""))
        .hasStackTraceContaining("broken");
    assertThat(job.steps()).hasSize(1);

    job.nextAttempt();

    assertThat(run(SnapshotMode.ALWAYS)).isEqualTo("abc");
    assertThat(done).containsExactly("b", "c");
  }

  /** What cannot be kept, as when the lease is lost at that moment. */
  public record Unwritable(String word) {

    @Override
    public String word() {
      throw new IllegalStateException("it cannot be written");
    }
  }

  private static Task<Path, Unwritable> unwritable(String id) {
    return Task.of(
        id,
        Unwritable.class,
        task -> {
          write(task.state(), "half of " + id);
          return new Unwritable(id);
        });
  }

  @Test
  void resumesFromTheEarlierSnapshotUntilTheOutputIsStored() throws Exception {
    plan(letter("a"), unwritable("b"));
    fails(SnapshotMode.ALWAYS, new IllegalStateException("it cannot be written"));
    job.nextAttempt();

    plan(letter("a"), letter("b"));

    assertThat(run(SnapshotMode.ALWAYS)).isEqualTo("ab");
    assertThat(done).containsExactly("b");
    assertThat(snapshots()).hasSize(1);
  }

  @Test
  void reportsSuccessAfterTheOutputIsStored() {
    plan(unwritable("a"));

    fails(SnapshotMode.ALWAYS, new IllegalStateException("it cannot be written"));

    assertThat(told()).containsExactly("a pending", "a running", "a failed");
  }

  @Test
  void dropsOutputsOfTasksAfterAChangedOne() throws Exception {
    plan(letter("a"), letter("b").input("1"), letter("c"));
    run(SnapshotMode.ALWAYS);
    job.nextAttempt();

    plan(letter("a"), upper("b").input("2"), letter("c"));

    assertThat(run(SnapshotMode.ALWAYS)).isEqualTo("aBc");
  }

  private static Task<Path, String> upper(String id) {
    return Task.of(id, String.class, task -> write(task.state(), id.toUpperCase(Locale.ROOT)));
  }

  @Test
  void aRepeatedTaskKeepsItsFirstOutput() throws Exception {
    plan(numbered("a"), failing("b", new IOException("no paper")));
    fails(SnapshotMode.NONE, new IOException("no paper"));
    job.nextAttempt();

    plan(
        numbered("a"),
        Task.<Path, String>of("b", String.class, task -> task.output("a", String.class)));

    assertThat(run(SnapshotMode.NONE)).isEqualTo("a of attempt 1");
    assertThat(done).containsExactly("a");
  }

  private Task<Path, String> numbered(String id) {
    return Task.of(
        id,
        String.class,
        task -> {
          done.add(id);
          return id + " of attempt " + task.attempt();
        });
  }

  @Test
  void namesAnOutputByItsJobAndTheTaskAndTheSameInEachAttempt() {
    var b = keys(job.id(), letter("a"), letter("b")).getLast();

    assertThat(keys(job.id(), letter("a"), letter("b"))).endsWith(b);
    assertThat(keys(new JobId(new UUID(7, 7)), letter("a"), letter("b"))).doesNotContain(b);
    assertThat(keys(job.id(), letter("a").outside(), letter("b"))).doesNotContain(b);
    assertThat(keys(job.id(), letter("b"), letter("a"))).doesNotContain(b);
  }

  private List<String> keys(JobId id, Task<Path, ?> first, Task<Path, ?> second) {
    return PlannedTask.inOrder(id, List.of(first, second), true).stream()
        .<String>map(PlannedTask::key)
        .toList();
  }

  @Test
  void aTaskIsNotDoneBeforeItsSnapshot() throws Exception {
    plan(letter("a"), letter("b"), letter("c"));
    var breaking = new BreakingStore(store, 2, false);
    assertThatThrownBy(() -> PlanHandler.of(new Letters(), states, breaking).run(job, ""))
        .hasStackTraceContaining("broken");

    assertThat(job.steps()).hasSize(1);
    assertThat(told()).endsWith("b running", "b failed");
  }

  @Test
  void savesNothingOfATaskThatWasCancelled() throws Exception {
    plan(
        letter("a"),
        Task.<Path, String>of(
            "b",
            String.class,
            task -> {
              write(task.state(), "half of b");
              job.cancel();
              return "b";
            }),
        letter("c"));

    assertThatThrownBy(() -> run(SnapshotMode.ALWAYS)).isInstanceOf(CancellationException.class);

    assertThat(states.said()).containsExactly("empty", "snapshot", "closed");
    assertThat(told()).endsWith("b running", "b cancelled");
    assertThat(job.steps()).hasSize(1);
  }

  /** The output is not kept, and no later attempt would delete the snapshot. */
  @Test
  void snapshotIsDeletedIfTheJobIsCancelledBeforeTheOutputIsKept() throws Exception {
    plan(letter("a"), unwritable("b"));
    var disturbed = new DisturbedStore(store, 2, job::cancel);

    assertThatThrownBy(() -> PlanHandler.of(new Letters(), states, disturbed).run(job, ""))
        .hasStackTraceContaining("it cannot be written");

    assertThat(snapshots()).singleElement().asString().startsWith("a-");
    assertThat(told()).endsWith("b running", "b cancelled");
  }

  @Test
  void aTaskCanFailForGood() {
    plan(failing("a", new PermanentFailure("no such customer")));

    assertThatThrownBy(() -> run(SnapshotMode.ALWAYS))
        .isInstanceOf(PermanentFailure.class)
        .hasMessageStartingWith("task a failed: ")
        .hasMessageEndingWith("no such customer");
  }

  @Test
  void aTaskCanPutItsJobOff() {
    plan(failing("a", new RetryLater(Duration.ofMinutes(5))));

    assertThatThrownBy(() -> run(SnapshotMode.ALWAYS)).isInstanceOf(RetryLater.class);
    assertThat(told()).endsWith("a running", "a pending");
  }

  @Test
  void aDatabaseErrorIsNotATasksFailure() {
    plan(failing("a", new JobsException(ErrorCode.POOL_EXHAUSTED, "no connection")));

    assertThatThrownBy(() -> run(SnapshotMode.ALWAYS))
        .isInstanceOf(JobsException.class)
        .hasMessage("no connection");
  }

  @Test
  void aTaskReadsOutputsOfEarlierTasks() throws Exception {
    plan(
        letter("a"),
        Task.<Path, String>of("b", String.class, task -> task.output("a", String.class) + "!"));

    assertThat(run(SnapshotMode.ALWAYS)).isEqualTo("a!");
  }

  @Test
  void aTaskCannotReadOutputsOfLaterTasks() {
    plan(
        Task.<Path, String>of("a", String.class, task -> task.output("b", String.class)),
        letter("b"));

    assertThatThrownBy(() -> run(SnapshotMode.ALWAYS))
        .hasStackTraceContaining("no task b is before a");
  }

  @Test
  void aTaskOutsideCannotReadTheState() {
    plan(letter("a").outside());

    assertThatThrownBy(() -> run(SnapshotMode.ALWAYS))
        .hasStackTraceContaining("task a is outside the state");
  }

  @Test
  void runsPlansWithoutAState() throws Exception {
    var ran = new ArrayList<String>();
    var plan =
        new TaskPlan<String, Integer, NoState>() {
          @Override
          public List<Task<NoState, ?>> tasks(String input) {
            return List.of(
                Task.doing("count", _ -> ran.add("count")),
                Task.of("add", Integer.class, _ -> input.length()));
          }

          @Override
          public Integer result(String input, TaskOutputs outputs) {
            return outputs.of("add", Integer.class);
          }
        };

    PlanHandler.of(plan).run(job, "abc");

    assertThat(PlanHandler.of(plan).run(job, "abc")).isEqualTo(3);
    assertThat(ran).containsExactly("count");
  }

  @Test
  void refusesInvalidPlans() {
    plan();
    assertThatThrownBy(() -> run(SnapshotMode.ALWAYS)).hasMessageContaining("1 to 500 tasks");

    plan(letter("a"), letter("a"));
    assertThatThrownBy(() -> run(SnapshotMode.ALWAYS)).hasMessage("two tasks have the id a");

    assertThatThrownBy(() -> letter("../a")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void errorsHaveOnlyPrintableCharacters() {
    plan(failing("a", new IOException("a\0b\ud800c")));

    assertThatThrownBy(() -> run(SnapshotMode.ALWAYS)).isInstanceOf(TaskFailure.class);
    assertThat(job.told().getLast().body()).contains("IOException: a?b?c").doesNotContain("\\u");
  }
}
