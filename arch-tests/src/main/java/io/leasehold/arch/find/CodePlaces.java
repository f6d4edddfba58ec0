package io.leasehold.arch.find;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.PackageMatcher;
import java.util.List;

/**
 * Packages and classes that a rule exempts.
 *
 * @param names packages in ArchUnit's notation, such as {@code com.acme.legacy..}, and full class
 *     names, which include nested classes
 */
public record CodePlaces(List<String> names) {

  public CodePlaces {
    names = List.copyOf(names);
  }

  public static CodePlaces of(String... names) {
    return new CodePlaces(List.of(names));
  }

  public boolean contain(JavaClass type) {
    return names.stream().anyMatch(name -> isIn(name, type));
  }

  DescribedPredicate<JavaClass> outside() {
    var description = names.isEmpty() ? "are anywhere" : "are outside " + names;
    return DescribedPredicate.describe(description, type -> !contain(type));
  }

  private static boolean isIn(String name, JavaClass type) {
    return type.getName().equals(name)
        || type.getName().startsWith(name + "$")
        || PackageMatcher.of(name).matches(type.getPackageName());
  }
}
