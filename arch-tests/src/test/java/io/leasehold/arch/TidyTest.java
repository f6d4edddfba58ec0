package io.leasehold.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The rules of the house about source text. */
class TidyTest {

  private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();

  private static final List<SourceFile> MAIN = sources("src/main/java");

  private static final List<SourceFile> TESTS =
      sources("src/test/java").stream()
          .filter(file -> !file.path().toString().contains("/io/leasehold/arch/planted/"))
          .toList();

  @Test
  void sourcesOfAllModulesAreChecked() {
    assertThat(MAIN).hasSizeGreaterThan(130);
    assertThat(MAIN)
        .extracting(file -> REPOSITORY.relativize(file.path()).getName(0).toString())
        .contains(
            "jobs-api", "jobs-secure-db", "jobs-engine", "jobs-rest", "jobs-runs", "migrations")
        .contains("embedded-postgres", "jobs-testkit", "arch-tests", "jobs-bench");
    assertThat(TESTS).hasSizeGreaterThan(80);
  }

  @Test
  void filesAreShort() {
    TidyRules.shortFiles(400).check(MAIN);
  }

  @Test
  void methodsAreShort() {
    TidyRules.shortMethods(60).check(MAIN);
  }

  @Test
  void methodsTakeFewParameters() {
    TidyRules.fewParameters(6).check(MAIN);
  }

  @Test
  void linesAreNarrow() {
    TidyRules.narrowLines(100).check(MAIN); // tests hold text blocks of SQL
  }

  @Test
  void catchBlocksAreNotEmpty() {
    TidyRules.noEmptyCatch().check(MAIN);
    TidyRules.noEmptyCatch().check(TESTS);
  }

  @Test
  void packagesHaveAPackageInfo() {
    TidyRules.packageInfo().check(MAIN);
    TidyRules.packageInfo().check(TESTS);
  }

  @Test
  void typeNamesAreUnique() {
    var byName =
        MAIN.stream()
            .map(SourceFile::path)
            .filter(path -> !path.endsWith("package-info.java"))
            .collect(Collectors.groupingBy(Path::getFileName));

    assertThat(byName.values()).filteredOn(paths -> paths.size() > 1).isEmpty();
  }

  @Test
  void todosNameTheirIssue() {
    TidyRules.noNamelessTodo().check(MAIN);
    TidyRules.noNamelessTodo().check(TESTS);
  }

  @Test
  void testsDoNotSleep() {
    TidyRules.noSleep().check(TESTS);
  }

  @Test
  void testsMockNothing() {
    TidyRules.noMocks().check(TESTS);
  }

  private static List<SourceFile> sources(String folder) {
    try (var modules = Files.list(REPOSITORY)) {
      return modules
          .sorted()
          .flatMap(module -> SourceFile.under(module.resolve(folder)).stream())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot look into " + REPOSITORY, e);
    }
  }
}
