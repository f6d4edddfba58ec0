package io.leasehold.proofs.explore;

import static io.leasehold.proofs.explore.Operation.REFUSED;
import static io.leasehold.proofs.explore.Operation.WRITTEN;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Something that has to hold in whatever order operations ran.
 *
 * @param name what has to hold
 * @param isBroken whether it does not
 */
record Rule(String name, Predicate<Outcome> isBroken) {

  private static final String DROPPED = "DROPPED";

  private static final List<Rule> ALL =
      List.of(
          // Nothing failed, save what a fixed snapshot makes fail.
          new Rule(
              "nothing fails",
              outcome ->
                  outcome.answers().stream()
                      .anyMatch(
                          answer ->
                              answer.isError()
                                  && !(answer.operation().repeatable()
                                      && answer.isSerializationFailure()))),

          // A job is in one place, one that was deleted in none.
          new Rule(
              "in one place",
              outcome -> outcome.found().places().size() != (outcome.found().known() ? 1 : 0)),

          // Only a delete, or the drop of its day, removes a job, and it removes it.
          new Rule("deleted by delete", outcome -> outcome.found().known() == isDeleted(outcome)),

          // Nothing of a deleted job is left.
          new Rule(
              "nothing is left",
              outcome -> !outcome.found().known() && outcome.found().belongings() > 0),

          // A job that is dropped with its day has ended, and no retry of it was answered with
          // "Queued".
          new Rule(
              "unfinished is kept",
              outcome ->
                  outcome.says(DROPPED)
                      && !outcome.says("Deleted")
                      && (outcome.says("Queued") || !outcome.start().isFinal())),

          // A key stands for a job, and for another one only when that was removed.
          new Rule("key has its job", outcome -> outcome.found().dangling() > 0),
          new Rule("key has one job", outcome -> outcome.says("submitted") && !isDeleted(outcome)),
          new Rule(
              "free key is taken",
              outcome ->
                  outcome.says("repeated") && removed(outcome) < outcome.order().indexOf("submit")),

          // It loses its key to another only when it has ended otherwise, or is gone.
          new Rule(
              "reusable is reused",
              outcome ->
                  outcome.says("replaced")
                      && !isDeleted(outcome)
                      && outcome.start() != Start.FAILED
                      && !outcome.says("Cancelled")
                      && !outcome.answered("fail", WRITTEN)),

          // No caller is told that a job is unknown unless it was deleted.
          new Rule("known is found", outcome -> outcome.says("NotFound") && !isDeleted(outcome)),

          // A lease is ended, lost or given back once.
          new Rule(
              "ended once",
              outcome ->
                  ends(outcome) > (outcome.start().isHeldByA() ? 1 : 0)
                      && !outcome.start().isEndedByA()),

          // A worker is told that its end is written if, and only if, the end is there.
          new Rule(
              "told the truth",
              outcome ->
                  outcome.found().known()
                      && !outcome.start().isEndedByA()
                      && outcome.says(WRITTEN) != outcome.found().endedByA()),

          // An end that was written before is recognized by its token.
          new Rule(
              "repeated flush is written",
              outcome ->
                  outcome.found().known()
                      && outcome.start().isEndedByA()
                      && flushes(outcome).anyMatch(answer -> answer.says(REFUSED))),

          // What a worker does whose lease is lost changes nothing.
          new Rule(
              "stale changes nothing",
              outcome ->
                  outcome.start() == Start.TAKEN_OVER
                      && (!outcome.found().isAsPut() || outcome.says("renewed"))),

          // A worker is told that its progress or checkpoint is written if, and only if, it is
          // there. A stale worker writes neither.
          new Rule(
              "told is told",
              outcome ->
                  outcome.found().known()
                      && outcome.says(Operations.TOLD) != (outcome.found().told() > 0)),
          new Rule(
              "kept is kept",
              outcome ->
                  outcome.found().known()
                      && outcome.says(Operations.KEPT) != (outcome.found().kept() > 0)),
          new Rule(
              "stale tells and keeps nothing",
              outcome ->
                  !outcome.start().isHeldByA()
                      && outcome.found().told() + outcome.found().kept() > 0),

          // No dependent waits in vain, or runs before all its dependencies have succeeded. Each
          // waiting job is in one place.
          new Rule("dependents are right", outcome -> !wrongDependents(outcome).isEmpty()),

          // What could be read of a history is the beginning of what can be read later.
          new Rule("history only grows", outcome -> !outcome.grown()),

          // A job that succeeded stays so until it is deleted.
          new Rule(
              "success stays",
              outcome ->
                  outcome.start() == Start.SUCCEEDED
                      && outcome.found().known()
                      && !outcome.found().status().equals("succeeded")),

          // One that failed stays so unless it is retried by hand.
          new Rule(
              "failure stays",
              outcome ->
                  outcome.start() == Start.FAILED
                      && outcome.found().known()
                      && !outcome.says("Queued")
                      && !outcome.found().status().equals("failed")),

          // A job whose cancel was answered with "Cancelled" is cancelled.
          new Rule(
              "cancelled is cancelled",
              outcome ->
                  outcome.says("Cancelled")
                      && outcome.found().known()
                      && !outcome.says("Queued")
                      && !outcome.found().status().equals("cancelled")),

          // What was asked of a running job stands somewhere.
          new Rule(
              "request is kept",
              outcome ->
                  outcome.says("Requested")
                      && outcome.found().known()
                      && !outcome.says("Queued")
                      && outcome.found().requests() == 0),

          // A job that was claimed has a lease.
          new Rule(
              "claimed is leased",
              outcome -> outcome.says("claimed") && !outcome.found().isIn("lease")),

          // A job that was adopted has a lease, unless that lease is the next to be lost.
          new Rule(
              "adopted is leased",
              outcome -> outcome.says("adopted") && !outcome.found().isIn("lease")),

          // What goes on without a worker is running all the while, until its own worker ends it.
          new Rule(
              "orphans run",
              outcome ->
                  (outcome.start() == Start.ORPHANED || outcome.answered("orphan", "taken"))
                      && outcome.found().known()
                      && !outcome.found().isIn("lease")),

          // A renewal calls lost what is lost.
          new Rule(
              "lost is lost", outcome -> outcome.says("lost") && outcome.found().isLeasedByA()),

          // Each claim counts, and one that was put aside does not.
          new Rule(
              "attempts add up",
              outcome ->
                  outcome.found().known()
                      && !outcome.says("Queued")
                      && outcome.found().attempts()
                          != outcome.start().attempts()
                              + outcome.count("claim", "claimed")
                              - outcome.count("park", "taken")));

  private static final Set<String> FLUSHES = Set.of("complete", "fail", "again");

  /** The rules that are broken. */
  static List<String> brokenBy(Outcome outcome) {
    return ALL.stream().filter(rule -> rule.isBroken.test(outcome)).map(Rule::name).toList();
  }

  // One that failed stays so when that for which it failed is retried by hand, and succeeds.
  private static List<String> wrongDependents(Outcome outcome) {
    return outcome.found().wrongDependents().stream()
        .filter(wrong -> !(wrong.equals("failed for nothing") && outcome.says("Queued")))
        .toList();
  }

  private static boolean isDeleted(Outcome outcome) {
    return outcome.says("Deleted") || outcome.says(DROPPED);
  }

  // When the job was gone for all to see.
  private static int removed(Outcome outcome) {
    return outcome.answers().stream()
        .filter(answer -> answer.says("Deleted") || answer.says(DROPPED))
        .mapToInt(answer -> outcome.order().lastIndexOf(answer.operation().name()))
        .min()
        .orElse(Integer.MAX_VALUE);
  }

  private static Stream<Answer> flushes(Outcome outcome) {
    return outcome.answers().stream().filter(answer -> FLUSHES.contains(answer.operation().name()));
  }

  // All that is written for one attempt by its own worker is one end: it is recognized when it is
  // written again.
  private static long ends(Outcome outcome) {
    return (outcome.says(WRITTEN) ? 1 : 0)
        + outcome.count("rescue", "taken")
        + outcome.count("orphan", "taken")
        + outcome.count("release", "taken")
        + outcome.count("park", "taken");
  }
}
