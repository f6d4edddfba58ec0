package io.leasehold.arch;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.PackageMatchers;
import com.tngtech.archunit.lang.ArchRule;
import io.leasehold.arch.find.Calls;
import io.leasehold.arch.find.CatchAll;
import io.leasehold.arch.find.Clocks;
import io.leasehold.arch.find.CodePlaces;
import io.leasehold.arch.find.MutableStatics;
import io.leasehold.arch.find.SourceFinding;
import io.leasehold.arch.find.Uses;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Rules about what code does with time, state and failures.
 *
 * <p>Each rule takes its exemptions: packages, such as {@code com.acme.orders.schema..}, or full
 * class names.
 */
public final class CodeRules {

  private static final Set<String> GENERIC =
      Set.of(
          "java.lang.Throwable",
          "java.lang.Exception",
          "java.lang.RuntimeException",
          "java.lang.Error");

  private static final PackageMatchers MOCKING =
      PackageMatchers.of(
          "org.mockito..",
          "org.easymock..",
          "org.powermock..",
          "org.jmock..",
          "mockit..",
          "io.mockk..");

  private CodeRules() {}

  /**
   * The wall clock is not read; {@code System.nanoTime} and a clock passed as an argument are
   * allowed.
   */
  public static ArchRule noClocks(String... except) {
    return SourceFinding.rule(
            CodePlaces.of(except),
            "not read the wall clock",
            type -> Calls.in(type, Clocks::isRead))
        .because("time that is stored, or compared with what is stored, is the database's");
  }

  /**
   * No static field can change: it is final, and of an immutable type; a collection comes from
   * {@code List.of}, {@code Map.copyOf}, {@code Collections.unmodifiableMap} and the like.
   */
  public static ArchRule noStaticState(String... except) {
    return SourceFinding.rule(
        CodePlaces.of(except), "have no static state that can change", MutableStatics::in);
  }

  /**
   * No code throws an {@code Exception}, {@code RuntimeException}, {@code Error}, or {@code
   * Throwable}.
   */
  public static ArchRule noGenericExceptions(String... except) {
    return SourceFinding.rule(
        CodePlaces.of(except),
        "throw exceptions that say what failed",
        type -> Calls.in(type, CodeRules::makesGenericException));
  }

  private static boolean makesGenericException(JavaCodeUnitAccess<?> call) {
    return GENERIC.stream().anyMatch(generic -> Calls.ofConstructor(generic).test(call))
        && !isCallOfSuper(call);
  }

  private static boolean isCallOfSuper(JavaCodeUnitAccess<?> call) {
    return call.getOrigin().isConstructor()
        && call.getOriginOwner()
            .getRawSuperclass()
            .filter(call.getTargetOwner()::equals)
            .isPresent();
  }

  /**
   * Only the named edges catch {@code Exception} or {@code Throwable}, or {@code Error} without
   * rethrowing it.
   */
  public static ArchRule noCatchAll(String... edges) {
    return SourceFinding.rule(
        CodePlaces.of(edges), "catch the exceptions that they can handle", CatchAll::in);
  }

  /** Only the named programs write to the console. */
  public static ArchRule noPrinting(String... programs) {
    return SourceFinding.rule(
        CodePlaces.of(programs),
        "not write to the console",
        type ->
            Stream.concat(
                type.getFieldAccessesFromSelf().stream()
                    .filter(access -> isConsole(access.getTarget().getFullName()))
                    .map(JavaAccess::getDescription),
                Calls.in(type, Calls.of("java.lang.Throwable", Set.of("printStackTrace")))));
  }

  private static boolean isConsole(String field) {
    return field.equals("java.lang.System.out") || field.equals("java.lang.System.err");
  }

  /**
   * No mocking library is used: a seam has a fake that is written by hand and named for what it
   * does.
   */
  public static ArchRule noMocks(String... except) {
    return SourceFinding.rule(
        CodePlaces.of(except),
        "use no mocking library",
        type -> Uses.in(type, CodeRules::isMocking));
  }

  private static boolean isMocking(JavaClass used) {
    return MOCKING.test(used.getPackageName());
  }
}
