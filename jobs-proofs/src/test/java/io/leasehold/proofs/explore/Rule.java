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
              its ->
                  its.answers().stream()
                      .anyMatch(
                          answer ->
                              answer.isError()
                                  && !(answer.operation().repeatable()
                                      && answer.isSerializationFailure()))),

          // A job is in one place, one that was deleted in none.
          new Rule(
              "in one place", its -> its.found().places().size() != (its.found().known() ? 1 : 0)),

          // Only a delete, or the drop of its day, removes a job, and it removes it.
          new Rule("deleted by delete", its -> its.found().known() == isDeleted(its)),

          // Nothing of a deleted job is left.
          new Rule("nothing is left", its -> !its.found().known() && its.found().belongings() > 0),

          // What goes with its day has ended, and nobody was told that it is queued again.
          new Rule(
              "unfinished is kept",
              its ->
                  its.says(DROPPED)
                      && !its.says("Deleted")
                      && (its.says("Queued") || !its.start().isFinal())),

          // A key stands for a job, and for another one only when that was removed.
          new Rule("key has its job", its -> its.found().dangling() > 0),
          new Rule("key has one job", its -> its.says("submitted") && !isDeleted(its)),
          new Rule(
              "free key is taken",
              its -> its.says("repeated") && removed(its) < its.order().indexOf("submit")),

          // It loses its key to another only when it has ended otherwise, or is gone.
          new Rule(
              "reusable is reused",
              its ->
                  its.says("replaced")
                      && !isDeleted(its)
                      && its.start() != Start.FAILED
                      && !its.says("Cancelled")
                      && !its.answered("fail", WRITTEN)),

          // Nobody is told that a job is unknown which no one deleted.
          new Rule("known is found", its -> its.says("NotFound") && !isDeleted(its)),

          // A lease is ended, lost or given back once.
          new Rule(
              "ended once",
              its -> ends(its) > (its.start().isHeldByA() ? 1 : 0) && !its.start().isEndedByA()),

          // Whoever hears that its end is written finds it, and only then.
          new Rule(
              "told the truth",
              its ->
                  its.found().known()
                      && !its.start().isEndedByA()
                      && its.says(WRITTEN) != its.found().endedByA()),

          // An end that was written before is recognized by its token.
          new Rule(
              "repeated flush is written",
              its ->
                  its.found().known()
                      && its.start().isEndedByA()
                      && flushes(its).anyMatch(answer -> answer.says(REFUSED))),

          // What a worker does whose lease is lost changes nothing.
          new Rule(
              "stale changes nothing",
              its ->
                  its.start() == Start.TAKEN_OVER
                      && (!its.found().isAsPut() || its.says("renewed"))),

          // Whoever hears that it is told or kept finds it, and nothing of a stale worker's is
          // there.
          new Rule(
              "told is told",
              its -> its.found().known() && its.says(Operations.TOLD) != (its.found().told() > 0)),
          new Rule(
              "kept is kept",
              its -> its.found().known() && its.says(Operations.KEPT) != (its.found().kept() > 0)),
          new Rule(
              "stale tells and keeps nothing",
              its -> !its.start().isHeldByA() && its.found().told() + its.found().kept() > 0),

          // Nobody waits in vain, or runs before all has succeeded; whoever waits is in one place.
          new Rule("dependents are right", its -> !wrongDependents(its).isEmpty()),

          // What could be read of a history is the beginning of what can be read later.
          new Rule("history only grows", its -> !its.grown()),

          // A job that succeeded stays so until it is deleted.
          new Rule(
              "success stays",
              its ->
                  its.start() == Start.SUCCEEDED
                      && its.found().known()
                      && !its.found().status().equals("succeeded")),

          // One that failed stays so unless it is retried by hand.
          new Rule(
              "failure stays",
              its ->
                  its.start() == Start.FAILED
                      && its.found().known()
                      && !its.says("Queued")
                      && !its.found().status().equals("failed")),

          // A job that somebody withdrew is cancelled.
          new Rule(
              "cancelled is cancelled",
              its ->
                  its.says("Cancelled")
                      && its.found().known()
                      && !its.says("Queued")
                      && !its.found().status().equals("cancelled")),

          // What was asked of a running job stands somewhere.
          new Rule(
              "request is kept",
              its ->
                  its.says("Requested")
                      && its.found().known()
                      && !its.says("Queued")
                      && its.found().requests() == 0),

          // Whoever claimed has the lease.
          new Rule("claimed is leased", its -> its.says("claimed") && !its.found().isIn("lease")),

          // Whoever adopted has the lease, unless that is the next to be lost.
          new Rule("adopted is leased", its -> its.says("adopted") && !its.found().isIn("lease")),

          // What goes on without a worker is running all the while, until its own worker ends it.
          new Rule(
              "orphans run",
              its ->
                  (its.start() == Start.ORPHANED || its.answered("orphan", "taken"))
                      && its.found().known()
                      && !its.found().isIn("lease")),

          // A renewal calls lost what is lost.
          new Rule("lost is lost", its -> its.says("lost") && its.found().isLeasedByA()),

          // Each claim counts, and one that was put aside does not.
          new Rule(
              "attempts add up",
              its ->
                  its.found().known()
                      && !its.says("Queued")
                      && its.found().attempts()
                          != its.start().attempts()
                              + its.count("claim", "claimed")
                              - its.count("park", "taken")));

  private static final Set<String> FLUSHES = Set.of("complete", "fail", "again");

  /** The rules that are broken. */
  static List<String> brokenBy(Outcome outcome) {
    return ALL.stream().filter(rule -> rule.isBroken.test(outcome)).map(Rule::name).toList();
  }

  // One that failed stays so when that for which it failed is retried by hand, and succeeds.
  private static List<String> wrongDependents(Outcome its) {
    return its.found().wrongDependents().stream()
        .filter(wrong -> !(wrong.equals("failed for nothing") && its.says("Queued")))
        .toList();
  }

  private static boolean isDeleted(Outcome its) {
    return its.says("Deleted") || its.says(DROPPED);
  }

  // When the job was gone for all to see.
  private static int removed(Outcome its) {
    return its.answers().stream()
        .filter(answer -> answer.says("Deleted") || answer.says(DROPPED))
        .mapToInt(answer -> its.order().lastIndexOf(answer.operation().name()))
        .min()
        .orElse(Integer.MAX_VALUE);
  }

  private static Stream<Answer> flushes(Outcome its) {
    return its.answers().stream().filter(answer -> FLUSHES.contains(answer.operation().name()));
  }

  // All that is written for one attempt by its own worker is one end: it is recognized when it is
  // written again.
  private static long ends(Outcome its) {
    return (its.says(WRITTEN) ? 1 : 0)
        + its.count("rescue", "taken")
        + its.count("orphan", "taken")
        + its.count("release", "taken")
        + its.count("park", "taken");
  }
}
