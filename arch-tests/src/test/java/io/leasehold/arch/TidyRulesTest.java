package io.leasehold.arch;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.arch.planted.Failures;
import io.leasehold.arch.planted.Tidy;
import io.leasehold.arch.planted.Untidy;
import io.leasehold.arch.planted.unmarked.MayBeNull;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class TidyRulesTest {

  @Test
  void catchesLongFiles() {
    assertCaught(TidyRules.shortFiles(31), "file has 32 lines, at most 31 are allowed");
  }

  @Test
  void allowsFilesAtTheLimit() {
    TidyRules.shortFiles(32).check(files(Untidy.class));
  }

  @Test
  void catchesLongMethods() {
    assertCaught(TidyRules.shortMethods(6), "Untidy.swallows has 7 lines, at most 6 are allowed");
  }

  @Test
  void allowsMethodsAtTheLimit() {
    TidyRules.shortMethods(7).check(files(Untidy.class));
  }

  @Test
  void catchesManyParameters() {
    assertCaught(TidyRules.fewParameters(3), "Untidy.wide has 4 parameters, at most 3");
  }

  @Test
  void allowsRecordsWithManyComponents() {
    TidyRules.fewParameters(3).check(files(Tidy.class));
  }

  @Test
  void catchesWideLines() {
    assertCaught(TidyRules.narrowLines(50), "line 3: /** Source that the rules about text must");
  }

  @Test
  void allowsLinesAtTheLimitAndImports() {
    TidyRules.narrowLines(51).check(files(Untidy.class));
    TidyRules.narrowLines(20)
        .check(
            List.of(new SourceFile(Path.of("A.java"), "import static org.mockito.Mockito.when;")));
  }

  @Test
  void catchesEmptyCatchBlocks() {
    assertCaught(TidyRules.noEmptyCatch(), "line 28: catches what it does nothing about");
  }

  @Test
  void allowsCatchBlocksWithCode() {
    TidyRules.noEmptyCatch().check(files(Failures.class));
  }

  @Test
  void catchesPackagesWithoutInfo() {
    assertThatThrownBy(() -> TidyRules.packageInfo().check(files(MayBeNull.class)))
        .hasMessageContaining("MayBeNull.java: its package has no package-info.java");
  }

  @Test
  void allowsPackagesWithInfo() {
    TidyRules.packageInfo().check(files(Untidy.class));
  }

  @Test
  void catchesTodosWithoutIssue() {
    assertCaught(TidyRules.noNamelessTodo(), "line 9: ");
  }

  @Test
  void allowsTodosWithIssue() {
    TidyRules.noNamelessTodo().check(files(Tidy.class));
  }

  @Test
  void catchesSleep() {
    assertCaught(TidyRules.noSleep(), "line 22: ");
  }

  @Test
  void allowsCodeWithoutSleep() {
    TidyRules.noSleep().check(files(Tidy.class));
  }

  @Test
  void catchesImportsOfMocks() {
    var file = new SourceFile(Path.of("Mocked.java"), "import static org.mockito.Mockito.when;");

    assertThatThrownBy(() -> TidyRules.noMocks().check(List.of(file)))
        .hasMessageContaining("Mocked.java: line 1: ");
  }

  @Test
  void allowsOtherImports() {
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
