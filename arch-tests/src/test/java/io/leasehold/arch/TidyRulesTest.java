package io.leasehold.arch;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.arch.planted.Failures;
import io.leasehold.arch.planted.Tidy;
import io.leasehold.arch.planted.Untidy;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class TidyRulesTest {

  @Test
  void catchesLongFiles() {
    assertCaught(TidyRules.shortFiles(23), "file has 24 lines, at most 23 are allowed");
  }

  @Test
  void letsFilesAtTheLimitPass() {
    TidyRules.shortFiles(24).check(files(Untidy.class));
  }

  @Test
  void catchesLongMethods() {
    assertCaught(TidyRules.shortMethods(5), "Untidy.tall has 6 lines, at most 5 are allowed");
  }

  @Test
  void letsMethodsAtTheLimitPass() {
    TidyRules.shortMethods(6).check(files(Untidy.class));
  }

  @Test
  void catchesManyParameters() {
    assertCaught(TidyRules.fewParameters(3), "Untidy.wide has 4 parameters, at most 3");
  }

  @Test
  void letsRecordsHaveManyParts() {
    TidyRules.fewParameters(3).check(files(Tidy.class));
  }

  @Test
  void catchesWhatIsLeftToDoWithoutIssue() {
    assertCaught(TidyRules.noNamelessTodo(), "line 9: ");
  }

  @Test
  void letsWhatIsLeftToDoPassWithIssue() {
    TidyRules.noNamelessTodo().check(files(Tidy.class));
  }

  @Test
  void catchesCatchAll() {
    var rule = TidyRules.noCatchAll();

    assertThatThrownBy(() -> rule.check(files(Failures.class)))
        .hasMessageContaining("} catch (Exception e) {")
        .hasMessageContaining("} catch (Throwable e) {");
  }

  @Test
  void letsEdgesCatchAll() {
    TidyRules.noCatchAll("Failures.java").check(files(Failures.class));
    TidyRules.noCatchAll().check(files(Tidy.class));
  }

  @Test
  void catchesSleep() {
    assertCaught(TidyRules.noSleep(), "line 22: ");
  }

  @Test
  void letsCodePassThatIsAwake() {
    TidyRules.noSleep().check(files(Tidy.class));
  }

  @Test
  void catchesImportsOfMocks() {
    var file = new SourceFile(Path.of("Mocked.java"), "import static org.mockito.Mockito.when;");

    assertThatThrownBy(() -> TidyRules.noMocks().check(List.of(file)))
        .hasMessageContaining("Mocked.java: line 1: ");
  }

  @Test
  void letsOtherImportsPass() {
    TidyRules.noMocks().check(files(Tidy.class));
  }

  @Test
  void failsWithoutFiles() {
    assertThatThrownBy(() -> TidyRules.noSleep().check(List.of()))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("had no file to look at");
  }

  private static void assertCaught(SourceRule rule, String found) {
    assertThatThrownBy(() -> rule.check(files(Untidy.class)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("Untidy.java: " + found);
  }

  private static List<SourceFile> files(Class<?> planted) {
    return SourceFile.under(Path.of("src/test/java/io/leasehold/arch/planted")).stream()
        .filter(file -> file.path().endsWith(planted.getSimpleName() + ".java"))
        .toList();
  }
}
