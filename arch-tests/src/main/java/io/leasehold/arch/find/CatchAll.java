package io.leasehold.arch.find;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import java.util.stream.Stream;

/**
 * Finds {@code catch (Exception)} and {@code catch (Throwable)}.
 *
 * <p>The compiler makes a {@code catch (Throwable)} of each try-with-resources, and calls {@code
 * addSuppressed} in it: where that is called, {@code Throwable} says nothing about the source.
 */
public final class CatchAll {

  private CatchAll() {}

  public static Stream<String> in(JavaClass type) {
    return type.getCodeUnits().stream()
        .flatMap(unit -> Uses.catches(unit, caught -> isAll(unit, caught)));
  }

  private static boolean isAll(JavaCodeUnit unit, JavaClass caught) {
    return caught.getName().equals("java.lang.Exception")
        || (caught.getName().equals("java.lang.Throwable") && !closesResources(unit));
  }

  private static boolean closesResources(JavaCodeUnit unit) {
    return unit.getMethodCallsFromSelf().stream()
        .anyMatch(call -> call.getName().equals("addSuppressed"));
  }
}
