package io.leasehold.arch.find;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.TryCatchBlock;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Finds uses of types: in code, signatures, annotations and catch clauses. */
public final class Uses {

  private Uses() {}

  public static Stream<String> in(JavaClass type, Predicate<JavaClass> wanted) {
    return Stream.concat(
        type.getDirectDependenciesFromSelf().stream()
            .filter(use -> wanted.test(use.getTargetClass().getBaseComponentType()))
            .map(Dependency::getDescription),
        type.getCodeUnits().stream().flatMap(unit -> catches(unit, wanted)));
  }

  /** Finds calls of other types' members that accept or return a wanted type without a variable. */
  public static Stream<String> passedOn(JavaClass type, Predicate<JavaClass> wanted) {
    return Calls.in(type, call -> speaks(call, wanted));
  }

  private static Stream<String> catches(JavaCodeUnit unit, Predicate<JavaClass> wanted) {
    return unit.getTryCatchBlocks().stream()
        .flatMap(
            block ->
                block.getCaughtThrowables().stream()
                    .filter(wanted)
                    .map(caught -> describe(block, caught)));
  }

  private static String describe(TryCatchBlock block, JavaClass caught) {
    return "Method <%s> catches <%s> in %s"
        .formatted(block.getOwner().getFullName(), caught.getName(), block.getSourceCodeLocation());
  }

  private static boolean speaks(JavaCodeUnitAccess<?> call, Predicate<JavaClass> wanted) {
    var target = call.getTarget();
    return Stream.concat(
            Stream.of(target.getRawReturnType()), target.getRawParameterTypes().stream())
        .map(JavaClass::getBaseComponentType)
        .anyMatch(wanted);
  }
}
