package io.leasehold.arch.find;

import static com.tngtech.archunit.core.domain.JavaFieldAccess.AccessType.SET;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.List;
import java.util.stream.Stream;

/**
 * Finds static fields whose value can change: not final, or of a type that is made to be changed.
 *
 * <p>A field of an interface such as {@code Map} is one where a changeable collection is made in
 * the line that sets it.
 */
public final class MutableStatics {

  private static final String ATOMIC = "java.util.concurrent.atomic.";

  private static final List<String> CHANGEABLE =
      List.of(
          "java.util.AbstractCollection",
          "java.util.AbstractMap",
          "java.util.concurrent.ConcurrentMap",
          "java.util.Dictionary",
          "java.util.Queue",
          "java.util.Date",
          "java.util.Calendar",
          "java.lang.AbstractStringBuilder",
          "java.lang.ThreadLocal");

  private static final List<String> EITHER = List.of("java.util.Collection", "java.util.Map");

  private MutableStatics() {}

  public static Stream<String> in(JavaClass type) {
    return type.getFields().stream()
        .filter(field -> field.getModifiers().contains(JavaModifier.STATIC))
        .filter(field -> !field.getModifiers().contains(JavaModifier.SYNTHETIC))
        .filter(MutableStatics::canChange)
        .map(field -> field.getDescription() + " can change, in " + field.getSourceCodeLocation());
  }

  private static boolean canChange(JavaField field) {
    var type = field.getRawType();
    return !field.getModifiers().contains(JavaModifier.FINAL)
        || type.isArray()
        || isChangeable(type)
        || (EITHER.stream().anyMatch(type::isAssignableTo) && isMadeChangeable(field));
  }

  // Guava's are below AbstractCollection, and do not change.
  private static boolean isChangeable(JavaClass type) {
    if (type.getSimpleName().startsWith("Immutable")) {
      return false;
    }
    return type.getName().startsWith(ATOMIC) || CHANGEABLE.stream().anyMatch(type::isAssignableTo);
  }

  private static boolean isMadeChangeable(JavaField field) {
    return field.getAccessesToSelf().stream()
        .filter(access -> access.getAccessType() == SET)
        .anyMatch(set -> isMadeChangeable(field.getOwner(), set.getLineNumber()));
  }

  // In one line with a method call, as in Map.copyOf(new HashMap<>()), it is only on its way.
  private static boolean isMadeChangeable(JavaClass owner, int line) {
    var calls =
        owner.getCodeUnitAccessesFromSelf().stream()
            .filter(call -> call.getLineNumber() == line)
            .toList();
    return calls.stream().anyMatch(MutableStatics::makesChangeable)
        && calls.stream().allMatch(Calls::isConstructor);
  }

  private static boolean makesChangeable(JavaCodeUnitAccess<?> call) {
    return Calls.isConstructor(call) && isChangeable(call.getTargetOwner());
  }
}
