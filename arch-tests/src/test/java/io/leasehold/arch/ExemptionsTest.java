package io.leasehold.arch;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.leasehold.arch.planted.Printing;
import org.junit.jupiter.api.Test;

class ExemptionsTest {

  private static final String WRITES = Printing.WritesOut.class.getName();
  private static final String ANSWERS = Printing.Answers.class.getName();

  private final JavaClasses classes =
      new ClassFileImporter()
          .importClasses(Printing.WritesOut.class, Printing.Answers.class, ExemptionsTest.class);

  @Test
  void exemptionsThatAreNeededPass() {
    Exemptions.check(CodeRules::noPrinting, classes, WRITES);
  }

  @Test
  void exemptionsThatAreNotNeededFail() {
    assertThatThrownBy(() -> Exemptions.check(CodeRules::noPrinting, classes, WRITES, ANSWERS))
        .isInstanceOf(AssertionError.class)
        .hasMessageEndingWith("leaves out what does not break it: [%s]".formatted(ANSWERS));
  }

  @Test
  void exemptionsInsideOthersFail() {
    var everything = Printing.class.getName();

    assertThatThrownBy(() -> Exemptions.check(CodeRules::noPrinting, classes, WRITES, everything))
        .hasMessageContaining(WRITES);
  }

  @Test
  void violationsWithoutExemptionFail() {
    assertThatThrownBy(() -> Exemptions.check(CodeRules::noPrinting, classes))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("was violated");
  }
}
