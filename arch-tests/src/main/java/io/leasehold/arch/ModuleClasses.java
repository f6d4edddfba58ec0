package io.leasehold.arch;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/** Finds the classes to check, and requires a minimum number: a rule without classes would pass. */
public final class ModuleClasses {

  private ModuleClasses() {}

  /**
   * Reads the main classes of a package and its subpackages from the class path.
   *
   * @param atLeast the number of classes that a plausible class path has
   * @throws AssertionError if there are fewer
   */
  public static JavaClasses under(String rootPackage, int atLeast) {
    var classes =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(rootPackage);
    if (classes.size() < atLeast) {
      throw new AssertionError(
          "found %d classes under %s, expected at least %d: are they on this test's class path?"
              .formatted(classes.size(), rootPackage, atLeast));
    }
    return classes;
  }
}
