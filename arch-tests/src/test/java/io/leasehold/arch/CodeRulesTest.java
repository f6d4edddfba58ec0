package io.leasehold.arch;

import static io.leasehold.arch.Planted.assertCaught;
import static io.leasehold.arch.Planted.assertPasses;
import static io.leasehold.arch.Planted.compiled;

import io.leasehold.arch.planted.Failures;
import io.leasehold.arch.planted.Printing;
import io.leasehold.arch.planted.StaticState;
import io.leasehold.arch.planted.TimeUse;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CodeRulesTest {

  @ParameterizedTest
  @ValueSource(
      classes = {
        TimeUse.TakesInstants.class,
        TimeUse.TakesReference.class,
        TimeUse.TakesLocalTime.class,
        TimeUse.TakesMillis.class,
        TimeUse.MakesDates.class,
        TimeUse.MakesClocks.class
      })
  void catchesClocks(Class<?> violation) {
    assertCaught(CodeRules.noClocks(), violation);
  }

  @Test
  void allowsMeasuringTime() {
    assertPasses(CodeRules.noClocks(), TimeUse.Measures.class);
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        StaticState.NotFinal.class,
        StaticState.Counter.class,
        StaticState.OfThread.class,
        StaticState.OfChangeableType.class,
        StaticState.OfChangeableValue.class,
        StaticState.OfKeySet.class,
        StaticState.OfSynchronizedMap.class,
        StaticState.OfCopy.class,
        StaticState.OfArray.class,
        StaticState.OfAnything.class,
        StaticState.OfHolder.class,
        StaticState.OfQuery.class,
        StaticState.Elements.class
      })
  void catchesStaticState(Class<?> violation) {
    assertCaught(CodeRules.noStaticState(), violation);
  }

  @Test
  void allowsConstants() {
    assertPasses(
        CodeRules.noStaticState(),
        StaticState.Constants.class,
        StaticState.OwnState.class,
        StaticState.Choice.class);
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        Failures.ThrowsRuntimeException.class,
        Failures.ThrowsException.class,
        Failures.ThrowsThrowable.class,
        Failures.ThrowsError.class,
        Failures.ThrowsByReference.class
      })
  void catchesGenericExceptions(Class<?> violation) {
    assertCaught(CodeRules.noGenericExceptions(), violation);
  }

  @Test
  void allowsSpecificExceptions() {
    assertPasses(
        CodeRules.noGenericExceptions(), Failures.OutOfPaper.class, Failures.ThrowsItsOwn.class);
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        Failures.CatchesException.class,
        Failures.CatchesThrowable.class,
        Failures.CatchesErrors.class,
        Failures.CatchesErrorsForOthers.class,
        Failures.CatchesBesideResources.class,
        Failures.CatchesToClose.class,
        Failures.CatchesInLambda.class
      })
  void catchesCatchAll(Class<?> violation) {
    assertCaught(CodeRules.noCatchAll(), violation);
  }

  @Test
  void allowsCatchesThatTheCompilerGenerates() {
    assertPasses(CodeRules.noCatchAll(), Failures.CatchesWhatItKnows.class);
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        Printing.WritesOut.class,
        Printing.WritesErrors.class,
        Printing.WritesStackTraces.class
      })
  void catchesPrinting(Class<?> violation) {
    assertCaught(CodeRules.noPrinting(), violation);
  }

  @Test
  void allowsCodeThatPrintsNothing() {
    assertPasses(CodeRules.noPrinting(), Printing.Answers.class);
  }

  @Test
  void catchesMocks(@TempDir Path folder) throws IOException {
    var classes =
        compiled(
            folder,
            "package org.mockito; public class Mockito { public static void mock() {} }",
            "package a; class Pretends { void test() { org.mockito.Mockito.mock(); } }");

    assertCaught(CodeRules.noMocks(), classes, "a.Pretends");
  }

  @Test
  void allowsFakes() {
    assertPasses(CodeRules.noMocks(), Printing.Answers.class);
  }
}
