package io.leasehold.proofs.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The protocol holds, and each of its parts is needed for that. */
class JobLeaseTest {

  private static final String LEASES = "JobLease";
  private static final String ADOPTION = "Adoption";
  private static final String RUNS = "Runs";

  @TempDir Path folder;

  @Test
  void holdsInAllStates() throws Exception {
    var finding = new ModelChecker(folder, LEASES).check();

    assertThat(finding.violated()).as(finding.output()).isEmpty();
    assertThat(finding.states()).as(finding.output()).isGreaterThan(100_000);
  }

  @Test
  @EnabledIfSystemProperty(named = "leasehold.proof", matches = "full")
  void holdsWithMoreClaims() throws Exception {
    var finding = new ModelChecker(folder, LEASES).with("MaxToken", "3").check();

    assertThat(finding.violated()).as(finding.output()).isEmpty();
    assertThat(finding.states()).as(finding.output()).isGreaterThan(1_000_000);
  }

  @ParameterizedTest(name = "{2} with {0} = {1}")
  @CsvSource(
      quoteCharacter = '\'',
      value = {
        // Without a fence, or with one that a later lease passes as well.
        "Fence, \"none\", StaleWorkersChangeNothing",
        "Fence, \"none\", InOnePlace",
        "Fence, \"none\", FinalStatesStay",
        "Fence, \"none\", EffectAtMostOnce",
        "Fence, \"state\", StaleWorkersChangeNothing",
        "Fence, \"attempt\", StaleWorkersChangeNothing",
        // The reaper takes a lease that was renewed since it looked.
        "Recheck, FALSE, RunsUnderItsLease",
        // The worker thinks that its lease lasts longer than it does, or notices too late.
        "CountFrom, \"answer\", RunsUnderItsLease",
        "BeginChecks, FALSE, RunsUnderItsLease",
        "Margin, 0, RunsUnderItsLease",
        // It begins a job whose lease it gave back, for it had not heard of it.
        "Forgoes, FALSE, RunsUnderItsLease",
        // A repeated flush cannot tell its own writing from another's.
        "Resolve, \"none\", ToldTheTruth",
        "Resolve, \"any\", ToldTheTruth",
        // A cancel of a job's former life ends its new one.
        "RetryClears, FALSE, CancelsThisLifeOnly",
      })
  void failsWithout(String constant, String value, String invariant) throws Exception {
    var finding = new ModelChecker(folder, LEASES).with(constant, value).only(invariant).check();

    assertThat(finding.violated()).as(finding.output()).contains(invariant);
  }

  /** Leases that wait for a worker, under time. */
  @Test
  void holdsWithAdoption() throws Exception {
    holds(ADOPTION);
  }

  /** What outlives its worker, with leases that are lost at any moment. */
  @Test
  void holdsWithRuns() throws Exception {
    holds(RUNS);
  }

  private void holds(String part) throws Exception {
    var finding = new ModelChecker(folder, part).check();

    assertThat(finding.violated()).as(finding.output()).isEmpty();
    assertThat(finding.states()).as(finding.output()).isGreaterThan(20_000);
  }

  @ParameterizedTest(name = "{3} with {1} = {2}")
  @CsvSource(
      quoteCharacter = '\'',
      value = {
        // A lease that waits looks like the one that was lost.
        "Adoption, Redraws, FALSE, TokensGrow",
        "Adoption, Recheck, FALSE, RunsUnderItsLease",
        "Adoption, Fence, \"attempt\", StaleWorkersChangeNothing",
        // An attempt that goes on is counted once more.
        "Runs, Keeps, FALSE, AttemptsAreHonest",
        // The adopting worker cannot tell a run that never started from one that is gone.
        "Runs, Notes, \"never\", RunsStartOnce",
        "Runs, Notes, \"after\", RunsStartOnce",
        "Runs, Fence, \"none\", RunsStartOnce",
        // A worker that slept before the start prepares a run beside that of a later attempt.
        "Runs, Prepares, \"after\", OneRunAtATime",
      })
  void failsToAdoptWithout(String part, String constant, String value, String invariant)
      throws Exception {
    var finding = new ModelChecker(folder, part).with(constant, value).only(invariant).check();

    assertThat(finding.violated()).as(finding.output()).contains(invariant);
  }
}
