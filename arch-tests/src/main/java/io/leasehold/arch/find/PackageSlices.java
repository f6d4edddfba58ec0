package io.leasehold.arch.find;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;

/**
 * Makes a slice of each package under a root, without Guice modules.
 *
 * @param rootPackage the root of the packages
 * @param except code that is in no slice
 */
public record PackageSlices(String rootPackage, CodePlaces except) implements SliceAssignment {

  @Override
  public SliceIdentifier getIdentifierOf(JavaClass type) {
    return CodePlaces.of(rootPackage + "..").contain(type) && !except.contain(type) && !wires(type)
        ? SliceIdentifier.of(type.getPackageName())
        : SliceIdentifier.ignore();
  }

  @Override
  public String getDescription() {
    return "packages under " + rootPackage;
  }

  private static boolean wires(JavaClass type) {
    return type.isAssignableTo("com.google.inject.Module")
        || type.getEnclosingClass().filter(PackageSlices::wires).isPresent();
  }
}
