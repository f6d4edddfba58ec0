package io.leasehold.engine.work.mirrors;

import static io.leasehold.engine.work.mirrors.MirroredQueue.CALLER;
import static io.leasehold.engine.work.mirrors.ToolRuns.RUNS;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.engine.maintenance.TestQueue;
import io.leasehold.engine.work.lease.PutOff;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.WhenLost;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;

/**
 * A random life of a mirrored job, with others that wait for it or have its key. After each
 * committed step all records are compared with their jobs; those whose jobs are gone, with what
 * they were.
 */
final class MirrorLife {

  private final Random random;
  private final TestQueue queue;
  private final Administrator administrator;
  private final ToolRuns runs;
  private final MirroredQueue work;
  private final List<UUID> records = new ArrayList<>();
  private final List<JobId> jobs = new ArrayList<>();
  private final List<ClaimedJob> claimed = new ArrayList<>();
  private final List<String> story = new ArrayList<>();
  private final Map<UUID, String> former = new HashMap<>();
  private int compared;

  MirrorLife(long seed, TestQueue queue, Administrator administrator) {
    this.random = new Random(seed);
    this.queue = queue;
    this.administrator = administrator;
    this.runs = new ToolRuns(administrator);
    this.work =
        new MirroredQueue(
            queue,
            administrator,
            "life-" + seed,
            List.of(WhenLost.REQUEUE, WhenLost.FAIL, WhenLost.ADOPT).get(random.nextInt(3)));
  }

  /** What a transaction does. */
  @FunctionalInterface
  private interface Step {
    void run() throws SQLException;
  }

  /** Lives for some steps; answers how often the records were compared. */
  int live() throws SQLException {
    step("submit", this::submit);
    for (int i = 3 + random.nextInt(12); i > 0; i--) {
      var steps = List.copyOf(steps().entrySet());
      var chosen = steps.get(random.nextInt(steps.size()));
      var name = chosen.getKey();
      if (random.nextInt(8) == 0) {
        undone(name, chosen.getValue());
      } else if (random.nextInt(8) == 0 && !name.equals("prune")) {
        besideALock(name, chosen.getValue());
      } else {
        step(name, chosen.getValue());
      }
    }
    return compared;
  }

  private Map<String, Step> steps() {
    var steps = new TreeMap<String, Step>();
    steps.put("submit", this::submit);
    steps.put("claim", () -> claimed.addAll(work.claim(1 + random.nextInt(3))));
    steps.put("claim all", () -> claimed.addAll(work.claim(10)));
    steps.put("move", work::move);
    steps.put("succeed", () -> work.end(lease(), JobStatus.SUCCEEDED));
    steps.put("fail", () -> work.end(lease(), JobStatus.FAILED));
    steps.put("time out", () -> work.end(lease(), JobStatus.TIMED_OUT));
    steps.put("end cancelled", () -> work.end(lease(), JobStatus.CANCELLED));
    steps.put("end removed", () -> work.endRemoved(lease()));
    steps.put("finish", () -> tolerating(ErrorCode.LEASE_LOST, () -> work.finish(lease())));
    steps.put("try again", () -> work.tryAgain(lease()));
    steps.put("put off", () -> work.putOff(lease(), PutOff.LATER));
    steps.put("put aside", () -> work.putOff(lease(), PutOff.ASIDE));
    steps.put("release", () -> work.release(lease(), true));
    steps.put("release unbegun", () -> work.release(lease(), false));
    steps.put("kill the worker", () -> work.expire(job()));
    steps.put("rescue", work::rescue);
    steps.put("adopt", () -> claimed.addAll(work.adopt()));
    steps.put("cancel", () -> work.jobs().cancel(CALLER, job()));
    steps.put("retry", () -> work.jobs().retry(CALLER, job()));
    steps.put("delete", () -> work.jobs().delete(CALLER, job()));
    steps.put("force delete", () -> work.jobs().forceDelete(CALLER, job()));
    steps.put("follow cancels", work::followCancels);
    steps.put("settle", work::settle);
    steps.put("prune", work::prune);
    return steps;
  }

  private JobId job() {
    return jobs.get(random.nextInt(jobs.size()));
  }

  /** Mostly the newest; else one that may be lost. */
  private ClaimedJob lease() {
    if (claimed.isEmpty()) {
      claimed.addAll(work.claim(1));
    }
    if (claimed.isEmpty()) {
      throw new NothingToDo();
    }
    return random.nextInt(3) > 0 ? claimed.getLast() : claimed.get(random.nextInt(claimed.size()));
  }

  private void submit() throws SQLException {
    var record =
        records.isEmpty() || random.nextInt(3) > 0
            ? runs.insert()
            : records.get(random.nextInt(records.size()));
    JobRequest<String, String> request = work.type().request("").mirroredBy(RUNS, record);
    switch (random.nextInt(5)) {
      case 0 -> request = request.key("key");
      case 1 -> request = request.key("key").reuse();
      case 2 -> request = request.delay(Duration.ofHours(1));
      case 3 -> request = jobs.isEmpty() ? request : request.after(job());
      default -> {}
    }
    if (random.nextInt(4) == 0) {
      request = request.maxAttempts(1);
    }
    var asked = request;
    try {
      jobs.add(work.jobs().submit(CALLER, asked).jobId());
      records.add(record);
    } catch (JobsException e) {
      var expected =
          List.of(ErrorCode.MIRROR_BUSY, ErrorCode.DEPENDENCY_UNKNOWN).contains(e.code());
      if (!expected) {
        throw e;
      }
    }
  }

  private void step(String name, Step step) throws SQLException {
    story.add(name);
    run(step);
    compare();
  }

  private void run(Step step) throws SQLException {
    try {
      step.run();
    } catch (NothingToDo e) {
      story.add("without a lease");
    }
  }

  /**
   * The server ends all sessions in the middle of the step: it leaves a trace in both or neither.
   */
  private void undone(String name, Step step) throws SQLException {
    story.add(name + ", cut off");
    administrator.run(
        "CREATE TRIGGER z_cut AFTER INSERT ON leasehold.%s FOR EACH STATEMENT"
                .formatted(random.nextBoolean() ? "outcome" : "lease")
            + " EXECUTE FUNCTION public.cut()");
    try {
      run(step);
    } catch (JobsException e) {
      story.add("came to nothing: " + e.code());
    } finally {
      administrator.run("DROP TRIGGER IF EXISTS z_cut ON leasehold.outcome");
      administrator.run("DROP TRIGGER IF EXISTS z_cut ON leasehold.lease");
    }
    compare();
  }

  /** A tenant holds a record meanwhile: it is behind its job until that is over, and not longer. */
  private void besideALock(String name, Step step) throws SQLException {
    story.add(name + ", beside a lock");
    var held = records.get(random.nextInt(records.size()));
    try (var tenant = queue.asTenant()) {
      TestQueue.ask(tenant, "SELECT id FROM acme.tool_run WHERE id = ? FOR UPDATE", held);
      run(step);
      assertNoDifference();
      tenant.rollback();
    }
    compare();
  }

  private static void tolerating(ErrorCode code, Step step) throws SQLException {
    try {
      step.run();
    } catch (JobsException e) {
      if (e.code() != code) {
        throw e;
      }
    }
  }

  private void compare() throws SQLException {
    assertNoDifference();
    work.catchUp();
    assertNoDifference();
    compareGone();
    compared++;
  }

  private void assertNoDifference() throws SQLException {
    assertThat(runs.differences()).as("after %s in %s", story, work.type().queue()).isEmpty();
  }

  /** A record without a job has what that ended with. */
  private void compareGone() throws SQLException {
    for (var record : records) {
      var now = runs.whole(record);
      var mirrors =
          !administrator
              .ask("SELECT id FROM leasehold.mirror_record WHERE record_id = ?", record)
              .isEmpty();
      if (!mirrors) {
        var before = former.get(record);
        var isCancelled = now.contains("the job was deleted before it ended");
        assertThat(isCancelled || now.equals(before) || isFinal(now))
            .as("record %s was %s and is %s after %s", record, before, now, story)
            .isTrue();
      }
      former.put(record, now);
    }
  }

  private static boolean isFinal(String record) {
    return record.matches("\\((succeeded|failed|timed_out|cancelled),.*");
  }

  /** There is no lease. */
  private static final class NothingToDo extends RuntimeException {
    private static final long serialVersionUID = 1;
  }
}
