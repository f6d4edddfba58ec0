package io.leasehold.arch;

import static io.leasehold.arch.Planted.compiled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ModuleRulesTest {

  private static final String OURS = "io.leasehold.arch";

  static Stream<ArchRule> rules() {
    var rules = ModuleRules.of("com.acme.orders");
    return Stream.concat(rules.isolation().stream(), rules.style().stream());
  }

  @ParameterizedTest
  @MethodSource("rules")
  void failWithoutClasses(ArchRule rule) {
    JavaClasses none = new ClassFileImporter().importClasses();

    assertThatThrownBy(() -> rule.check(none))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("failed to check any classes");
  }

  @Test
  void failWithFewerClassesThanExpected() {
    var rules = ModuleRules.of(OURS).atLeast(1000);

    assertThatThrownBy(rules::tests)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("under io.leasehold.arch, expected at least 1000");
  }

  @Test
  void refuseUnknownPackages() {
    assertThatThrownBy(ModuleRules.of("com.acme.orders")::tests)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("found 0 classes under com.acme.orders");
  }

  @Test
  void allowProgramsToOpenDatabases(@TempDir Path folder) throws IOException {
    var classes =
        compiled(
            folder,
            "package io.leasehold.db; public class SecureDatabase { public static void of() {} }",
            "package acme; class Order {}",
            "package acme; class Main { void go() { io.leasehold.db.SecureDatabase.of(); } }");
    var rules = ModuleRules.of("acme").generated("io.leasehold..");

    assertThat(rules.programs("acme.Main").isolation())
        .noneMatch(rule -> rule.evaluate(classes).hasViolation());
    assertThat(rules.isolation()).anyMatch(rule -> rule.evaluate(classes).hasViolation());
  }

  @Test
  void makeOneTestOfEachRule() {
    assertThat(ModuleRules.of(OURS).atLeast(10).tests()).hasSize((int) rules().count());
  }
}
