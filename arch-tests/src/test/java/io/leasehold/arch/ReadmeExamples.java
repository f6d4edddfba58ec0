package io.leasehold.arch;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The examples of arch-tests/README.md, word for word, so that they compile. None is run. */
@SuppressWarnings("UnusedMethod") // JUnit calls such methods of a module's own tests.
final class ReadmeExamples {

  void wholeModule() {
    class ArchitectureTest {
      @TestFactory
      Stream<DynamicTest> rules() {
        return ModuleRules.of("com.acme.orders").atLeast(20).tests();
      }
    }
    new ArchitectureTest();
  }

  void oneRule() {
    class OneRule {
      @Test
      void connectionsAreForTheImportOnly() {
        DatabaseRules.noJdbc("com.acme.orders.Import")
            .check(ModuleClasses.under("com.acme.orders", 20));
      }
    }
    new OneRule();
  }

  void anExemption(JavaClasses classes) {
    Exemptions.check(DatabaseRules::noJdbc, classes, "com.acme.orders.Import");
  }
}
