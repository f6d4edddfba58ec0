package io.leasehold.arch.find;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaConstructor;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Finds calls and method references, which count as calls. */
public final class Calls {

  private Calls() {}

  public static Stream<String> in(JavaClass type, Predicate<JavaCodeUnitAccess<?>> wanted) {
    return type.getCodeUnitAccessesFromSelf().stream()
        .filter(wanted)
        .map(JavaAccess::getDescription);
  }

  /** Matches a call of a method with one of the names, on the type or a subtype. */
  public static Predicate<JavaCodeUnitAccess<?>> of(String type, Set<String> methods) {
    return call -> methods.contains(call.getName()) && call.getTargetOwner().isAssignableTo(type);
  }

  /** Matches a call of any method or constructor of the type or a subtype. */
  public static Predicate<JavaCodeUnitAccess<?>> ofAny(String type) {
    return call -> call.getTargetOwner().isAssignableTo(type);
  }

  /** Matches a call of a constructor of exactly the type. */
  public static Predicate<JavaCodeUnitAccess<?>> ofConstructor(String type) {
    return call -> isConstructor(call) && call.getTargetOwner().getName().equals(type);
  }

  /** Matches a call that passes text. */
  public static boolean takesText(JavaCodeUnitAccess<?> call) {
    return call.getTarget().getRawParameterTypes().stream()
        .anyMatch(type -> type.getBaseComponentType().isEquivalentTo(String.class));
  }

  static boolean isConstructor(JavaCodeUnitAccess<?> call) {
    return call.getName().equals(JavaConstructor.CONSTRUCTOR_NAME);
  }
}
