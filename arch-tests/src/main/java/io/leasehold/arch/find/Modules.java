package io.leasehold.arch.find;

import static java.util.Comparator.comparingInt;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The modules of a program, each known by its root package, which is its front door.
 *
 * @param roots the root packages, as in {@code com.acme.orders}
 */
public record Modules(List<String> roots) {

  public Modules {
    roots = List.copyOf(roots);
  }

  public static Modules of(Collection<String> roots) {
    return new Modules(List.copyOf(roots));
  }

  /** The root package of the module that a class belongs to. */
  public Optional<String> of(JavaClass type) {
    return roots.stream()
        .filter(root -> isIn(root, type.getPackageName()))
        .max(comparingInt(String::length));
  }

  /** Whether a class stands in a module, below its front door. */
  public boolean isInside(JavaClass type) {
    return of(type).filter(root -> !root.equals(type.getPackageName())).isPresent();
  }

  private static boolean isIn(String root, String name) {
    return name.equals(root) || name.startsWith(root + ".");
  }
}
