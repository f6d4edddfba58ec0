package io.leasehold.proofs.explore;

import static io.leasehold.proofs.explore.Operations.ADOPT;
import static io.leasehold.proofs.explore.Operations.CANCEL;
import static io.leasehold.proofs.explore.Operations.CANCEL_DEPENDENT;
import static io.leasehold.proofs.explore.Operations.CLAIM;
import static io.leasehold.proofs.explore.Operations.COMPLETE;
import static io.leasehold.proofs.explore.Operations.COMPLETE_BOTH;
import static io.leasehold.proofs.explore.Operations.COMPLETE_OTHER;
import static io.leasehold.proofs.explore.Operations.DELETE;
import static io.leasehold.proofs.explore.Operations.DROP;
import static io.leasehold.proofs.explore.Operations.END_BOTH;
import static io.leasehold.proofs.explore.Operations.FAIL;
import static io.leasehold.proofs.explore.Operations.FAIL_OTHER;
import static io.leasehold.proofs.explore.Operations.FINISH;
import static io.leasehold.proofs.explore.Operations.FINISH_OTHER;
import static io.leasehold.proofs.explore.Operations.MOVE;
import static io.leasehold.proofs.explore.Operations.ORPHAN;
import static io.leasehold.proofs.explore.Operations.PARK;
import static io.leasehold.proofs.explore.Operations.PROGRESS;
import static io.leasehold.proofs.explore.Operations.RELEASE;
import static io.leasehold.proofs.explore.Operations.RELEASE_BOTH;
import static io.leasehold.proofs.explore.Operations.RENEW;
import static io.leasehold.proofs.explore.Operations.RESCUE;
import static io.leasehold.proofs.explore.Operations.RETRY;
import static io.leasehold.proofs.explore.Operations.RETRY_DEPENDENT;
import static io.leasehold.proofs.explore.Operations.SETTLE;
import static io.leasehold.proofs.explore.Operations.SUBMIT;
import static io.leasehold.proofs.explore.Operations.SUBMIT_AFTER;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.proofs.explore.Explorer.Depth;
import io.leasehold.testkit.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * In whatever order the queue's statements run, what they leave behind is in order. {@code ./check
 * full} tries every order where a check tries some.
 */
class ExplorerTest {

  @RegisterExtension
  static final TestDatabase database = new TestDatabase("/io/leasehold/proofs/explore/explore.sql");

  private static final boolean FULL = "full".equals(System.getProperty("leasehold.proof"));
  private static final long SEED = Long.getLong("leasehold.seed", new Random().nextLong());
  private static final Random random = new Random(SEED);

  private static Explorer explorer;
  private static int all;

  private final Map<String, String> broken = new TreeMap<>();
  private final Set<String> answers = new TreeSet<>();
  private int orders;

  @BeforeAll
  static void connect() throws Exception {
    explorer = new Explorer(database);
  }

  @AfterAll
  static void disconnect() throws Exception {
    explorer.close();
    System.out.printf("explored %d orders, seed %d%n", all, SEED);
  }

  @Test
  void twoTransactionsKeepTheRules() throws Exception {
    for (var pair : pairs(Operations.all())) {
      explore(pair, Depth.TRANSACTIONS, () -> some(1));
    }
    // The answer "submitted" is rare: a sample of the orders may miss it.
    explore(Start.READY, List.of(SUBMIT, DELETE), Depth.TRANSACTIONS, Choices.all());

    assertThat(broken).isEmpty();
    assertThat(orders).isGreaterThan(FULL ? 9_000 : 1_000);
    assertThat(answers)
        .contains("drop -> DROPPED", "drop -> KEPT", "drop -> BUSY")
        .contains("submit -> submitted", "submit -> repeated");
  }

  @Test
  void rollbacksAndOldSnapshotsKeepTheRules() throws Exception {
    for (var one : Operations.unusual()) {
      for (var other : Operations.all()) {
        exploreSome(List.of(one, other), Depth.TRANSACTIONS, () -> some(1));
      }
    }

    assertThat(broken).isEmpty();
  }

  /** Its snapshot still has the key of the job that is gone. */
  @Test
  void anOldSnapshotTakesAKeyThatIsFree() throws Exception {
    explore(List.of(SUBMIT.repeatableRead(), DELETE), Depth.TRANSACTIONS, Choices::all);

    assertThat(broken).isEmpty();
  }

  @Test
  void statementsKeepTheRulesWhereverTheyAreDelayed() throws Exception {
    for (var pair : pairs(Operations.all())) {
      exploreSome(pair, Depth.STATEMENTS, () -> Choices.some(random, FULL ? 100 : 1));
    }

    assertThat(broken).isEmpty();
  }

  /** The progress is reported while the statement that takes the lease away waits for a lock. */
  @Test
  void progressDuringTheLossOfALeaseIsKept() throws Exception {
    for (var taking : List.of(PARK, RELEASE, RESCUE, COMPLETE)) {
      explore(List.of(taking, PROGRESS), Depth.STATEMENTS, Choices::all);
    }

    assertThat(broken).isEmpty();
  }

  @Test
  void threeTransactionsKeepTheRules() throws Exception {
    for (var three :
        List.of(
            List.of(CANCEL, COMPLETE, DELETE),
            List.of(RETRY, CLAIM, COMPLETE),
            List.of(MOVE, CANCEL, CLAIM),
            List.of(RESCUE, COMPLETE, RETRY),
            List.of(RESCUE, FINISH, CLAIM),
            List.of(FAIL, RETRY, CANCEL),
            List.of(RELEASE, CLAIM, CANCEL),
            List.of(RESCUE, RENEW, CLAIM),
            List.of(MOVE, DELETE, RETRY),
            List.of(DROP, RETRY, CLAIM),
            List.of(DROP, DELETE, SUBMIT))) {
      explore(three, Depth.TRANSACTIONS, () -> some(3));
    }

    assertThat(broken).isEmpty();
  }

  /** Orphaned jobs, with all other operations on them. */
  @Test
  void adoptionKeepsTheRules() throws Exception {
    for (var start : Start.adoptable()) {
      for (var one : Operations.adoption()) {
        for (var other : Operations.all()) {
          explore(start, List.of(one, other), Depth.TRANSACTIONS, some(1));
        }
      }
      explore(start, List.of(ORPHAN, ADOPT), Depth.STATEMENTS, some(3));
      explore(start, List.of(ADOPT, ADOPT), Depth.STATEMENTS, some(3));
      explore(start, List.of(ORPHAN, ADOPT, COMPLETE), Depth.TRANSACTIONS, some(3));
      explore(start, List.of(ORPHAN, PROGRESS, ADOPT), Depth.TRANSACTIONS, some(3));
    }

    assertThat(broken).isEmpty();
    assertThat(answers).contains("orphan -> taken", "adopt -> adopted", "release -> taken");
  }

  @Test
  void dependentsAreNotForgotten() throws Exception {
    for (var one : Operations.ofDependents()) {
      for (var other : Operations.all()) {
        explore(List.of(one, other), Depth.TRANSACTIONS, () -> some(1));
      }
      for (var other : Operations.ofDependents()) {
        exploreSome(List.of(one, other), Depth.TRANSACTIONS, () -> some(1));
      }
    }
    // The answers "unknown" and "settled" are rare: a sample of the orders may miss them.
    explore(Start.READY, List.of(SUBMIT_AFTER, DELETE), Depth.TRANSACTIONS, Choices.all());
    explore(Start.LEASED, List.of(SETTLE, COMPLETE), Depth.TRANSACTIONS, Choices.all());

    assertThat(broken).isEmpty();
    assertThat(answers)
        .contains("submit after -> submitted after", "submit after -> unknown")
        .contains("settle -> settled", "retry dependent -> dependent Queued")
        .contains("reuse -> reused", "reuse -> replaced");
  }

  @Test
  void dependentsAreNotForgottenWhereverStatementsAreDelayed() throws Exception {
    for (var one : Operations.ofDependents()) {
      for (var other : List.of(COMPLETE, FAIL, FINISH, CANCEL, DELETE, RETRY, SETTLE)) {
        exploreSome(
            List.of(one, other), Depth.STATEMENTS, () -> Choices.some(random, FULL ? 100 : 3));
      }
    }

    assertThat(broken).isEmpty();
  }

  @Test
  void threeTransactionsLeaveNoDependentWaiting() throws Exception {
    for (var three :
        List.of(
            List.of(SUBMIT_AFTER, COMPLETE, SETTLE),
            List.of(SUBMIT_AFTER, CANCEL, RETRY),
            List.of(SUBMIT_AFTER, FINISH.repeatableRead(), SETTLE),
            List.of(RETRY_DEPENDENT, RETRY, SETTLE),
            List.of(CANCEL_DEPENDENT, COMPLETE, SETTLE),
            List.of(DELETE, SETTLE, RETRY_DEPENDENT))) {
      explore(three, Depth.TRANSACTIONS, () -> some(3));
    }

    assertThat(broken).isEmpty();
  }

  /** Each sees the other's job unfinished, and one that waits for both. */
  @Test
  void dependentsOfTwoJobsAreNotForgotten() throws Exception {
    for (var one : List.of(COMPLETE, FAIL, FINISH, FINISH.repeatableRead(), CANCEL, SETTLE)) {
      for (var other : List.of(COMPLETE_OTHER, FAIL_OTHER, FINISH_OTHER)) {
        explore(Start.LEASED, List.of(one, other), Depth.ROWS, some(10));
        explore(Start.LEASED, List.of(one, other, SETTLE), Depth.ROWS, some(10));
      }
    }

    assertThat(broken).isEmpty();
  }

  @Test
  void manyRowsAtOnceDoNotDeadlock() throws Exception {
    for (var one : List.of(COMPLETE_BOTH, END_BOTH)) {
      explore(Start.LEASED, List.of(one, RELEASE_BOTH), Depth.ROWS, some(20));
    }

    assertThat(broken).isEmpty();
  }

  @Test
  void findsABugInARescueWithoutASecondCheck() throws Exception {
    explore(Start.EXPIRED, List.of(Broken.RESCUE, COMPLETE), Depth.TRANSACTIONS, Choices.all());

    assertThat(broken.keySet()).anyMatch(found -> found.startsWith("in one place"));
  }

  @Test
  void findsABugInAnEndWithoutAToken() throws Exception {
    explore(Start.TAKEN_OVER, List.of(Broken.COMPLETE, RENEW), Depth.TRANSACTIONS, Choices.all());

    assertThat(broken.keySet()).anyMatch(found -> found.startsWith("stale changes nothing"));
  }

  @Test
  void findsABugInACancelThatChecksOnce() throws Exception {
    explore(Start.SCHEDULED, List.of(Broken.CANCEL, MOVE), Depth.TRANSACTIONS, Choices.all());

    assertThat(broken.keySet()).anyMatch(found -> found.startsWith("known is found"));
  }

  @Test
  void findsABugInADropWithoutASecondCheck() throws Exception {
    explore(Start.FAILED, List.of(Broken.DROP, RETRY), Depth.TRANSACTIONS, Choices.all());

    assertThat(broken.keySet()).anyMatch(found -> found.startsWith("unfinished is kept"));
  }

  private static Choices some(int ways) {
    return FULL ? Choices.all() : Choices.some(random, ways);
  }

  private void exploreSome(List<Operation> operations, Depth depth, Supplier<Choices> choices)
      throws Exception {
    if (FULL) {
      explore(operations, depth, choices);
    } else {
      var starts = Start.usual();
      explore(starts.get(random.nextInt(starts.size())), operations, depth, choices.get());
    }
  }

  private void explore(List<Operation> operations, Depth depth, Supplier<Choices> choices)
      throws Exception {
    for (var start : Start.usual()) {
      explore(start, operations, depth, choices.get());
    }
  }

  private void explore(Start start, List<Operation> operations, Depth depth, Choices choices)
      throws Exception {
    var ways = explorer.explore(start, operations, depth, choices, this::judge);
    orders += ways;
    all += ways;
  }

  private void judge(Outcome outcome) {
    outcome.answers().forEach(answer -> answers.add(answer.toString()));
    for (var rule : Rule.brokenBy(outcome)) {
      broken.putIfAbsent(
          "%s from %s: %s".formatted(rule, outcome.start(), outcome.answers()),
          "%s left %s".formatted(outcome.order(), outcome.found()));
    }
  }

  private static List<List<Operation>> pairs(List<Operation> operations) {
    var pairs = new ArrayList<List<Operation>>();
    for (var i = 0; i < operations.size(); i++) {
      for (var j = i; j < operations.size(); j++) {
        pairs.add(List.of(operations.get(i), operations.get(j)));
      }
    }
    return pairs;
  }
}
