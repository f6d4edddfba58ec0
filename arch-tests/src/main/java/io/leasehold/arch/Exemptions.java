package io.leasehold.arch;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Holds classes against a rule, and each place that the rule leaves out against being needed: an
 * exemption that excuses nothing would one day excuse what nobody thought of.
 */
public final class Exemptions {

  private Exemptions() {}

  /**
   * Checks a rule, and then that it is broken wherever one of the places is not left out.
   *
   * @param rule makes the rule of the places that it leaves out, as {@code DatabaseRules::noJdbc}
   * @throws AssertionError if the rule is broken, or if a place excuses nothing
   */
  public static void check(
      Function<String[], ArchRule> rule, JavaClasses classes, String... places) {
    var whole = rule.apply(places);
    whole.check(classes);
    var stale =
        Stream.of(places).filter(place -> holds(rule, classes, without(place, places))).toList();
    if (!stale.isEmpty()) {
      throw new AssertionError(message(whole, stale));
    }
  }

  private static boolean holds(
      Function<String[], ArchRule> rule, JavaClasses classes, String[] places) {
    return !rule.apply(places).evaluate(classes).hasViolation();
  }

  private static String[] without(String place, String[] places) {
    return Stream.of(places).filter(it -> !it.equals(place)).toArray(String[]::new);
  }

  private static String message(ArchRule rule, List<String> stale) {
    return "rule '%s' leaves out what does not break it: %s"
        .formatted(rule.getDescription(), stale);
  }
}
