package io.leasehold.arch.find;

import static java.util.Comparator.comparingInt;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The modules of a program, each identified by its root package, which is its API.
 *
 * @param roots the root packages, such as {@code com.acme.orders}
 */
public record Modules(List<String> roots) {

  public Modules {
    roots = List.copyOf(roots);
  }

  public static Modules of(Collection<String> roots) {
    return new Modules(List.copyOf(roots));
  }

  /** Returns the root package of the module that a class belongs to. */
  public Optional<String> of(JavaClass type) {
    return roots.stream()
        .filter(root -> isIn(root, type.getPackageName()))
        .max(comparingInt(String::length));
  }

  /** Whether a class is inside a module, below its root package. */
  public boolean isInside(JavaClass type) {
    return of(type).filter(root -> !root.equals(type.getPackageName())).isPresent();
  }

  private static boolean isIn(String root, String name) {
    return name.equals(root) || name.startsWith(root + ".");
  }
}
