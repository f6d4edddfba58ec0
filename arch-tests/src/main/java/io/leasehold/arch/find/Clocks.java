package io.leasehold.arch.find;

import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import java.util.Set;
import java.util.function.Predicate;

/** Recognises calls that read the wall clock, or create a clock that does. */
public final class Clocks {

  private static final Predicate<JavaCodeUnitAccess<?>> READS =
      Calls.of("java.lang.System", Set.of("currentTimeMillis"))
          .or(Calls.of("java.util.Calendar", Set.of("getInstance")))
          .or(Calls.of("java.time.InstantSource", Set.of("system")))
          .or(
              Calls.of(
                  "java.time.Clock",
                  Set.of(
                      "system",
                      "systemUTC",
                      "systemDefaultZone",
                      "tickMillis",
                      "tickSeconds",
                      "tickMinutes")))
          .or(Calls.ofConstructor("java.util.Date").and(call -> hasNoParameters(call)))
          .or(Clocks::isNow);

  private Clocks() {}

  public static boolean isRead(JavaCodeUnitAccess<?> call) {
    return READS.test(call);
  }

  // With a Clock as its parameter, the method reads the clock passed to it.
  private static boolean isNow(JavaCodeUnitAccess<?> call) {
    return call.getTargetOwner().getPackageName().startsWith("java.time")
        && call.getName().equals("now")
        && call.getTarget().getRawParameterTypes().stream()
            .noneMatch(it -> it.getName().equals("java.time.Clock"));
  }

  private static boolean hasNoParameters(JavaCodeUnitAccess<?> call) {
    return call.getTarget().getRawParameterTypes().isEmpty();
  }
}
