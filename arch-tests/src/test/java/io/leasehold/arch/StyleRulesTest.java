package io.leasehold.arch;

import static io.leasehold.arch.Planted.assertCaught;
import static io.leasehold.arch.Planted.assertPasses;

import io.leasehold.arch.planted.Injection;
import io.leasehold.arch.planted.Names;
import io.leasehold.arch.planted.Openness;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StyleRulesTest {

  @ParameterizedTest
  @ValueSource(
      classes = {
        Names.JobManager.class,
        Names.JobHelper.class,
        Names.JobUtil.class,
        Names.JobUtils.class,
        Names.JobImpl.class,
        Names.BaseJob.class,
        Names.AbstractJob.class,
        Names.CommonJob.class,
        Names.JobData.class,
        Names.JobInfo.class,
        Names.HTTPProcessor.class,
        Names.IJob.class
      })
  void catchesMeaninglessNames(Class<?> violation) {
    assertCaught(StyleRules.typeNames(), violation);
  }

  @Test
  void allowsForbiddenWordsInsideOtherWords() {
    assertPasses(
        StyleRules.typeNames(),
        Names.Database.class,
        Names.Identity.class,
        Names.InformedBasement.class);
  }

  @Test
  void catchesClassesThatAreNotFinal() {
    assertCaught(StyleRules.finalClasses(), Openness.Open.class);
  }

  @Test
  void allowsFinalAndSealedClassesAndInterfaces() {
    assertPasses(
        StyleRules.finalClasses(),
        Openness.Closed.class,
        Openness.ToBeExtended.class,
        Openness.OpenToOne.class,
        Openness.One.class,
        Openness.Value.class,
        Openness.Choice.class);
  }

  @ParameterizedTest
  @ValueSource(
      classes = {Injection.ByField.class, Injection.ByGuicesField.class, Injection.ByMethod.class})
  void catchesInjectionIntoMembers(Class<?> violation) {
    assertCaught(StyleRules.constructorInjection(), violation);
  }

  @Test
  void allowsConstructorInjection() {
    assertPasses(StyleRules.constructorInjection(), Injection.ByConstructor.class);
  }

  @Test
  void catchesSetters() {
    assertCaught(StyleRules.noSetters(), Openness.Changing.class);
  }

  @Test
  void allowsSettersOfForeignInterfaces() {
    assertPasses(StyleRules.noSetters(), Openness.Asked.class, Openness.Value.class);
  }

  @ParameterizedTest
  @ValueSource(classes = {Injection.ByName.class, Injection.NamesIt.class})
  void catchesBindingsNamedByStrings(Class<?> violation) {
    assertCaught(StyleRules.noNamed(), violation);
  }

  @Test
  void allowsBindingsWithoutNames() {
    assertPasses(StyleRules.noNamed(), Injection.ByConstructor.class);
  }
}
