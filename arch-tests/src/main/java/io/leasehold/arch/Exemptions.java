package io.leasehold.arch;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Checks classes against a rule, and checks that each exemption is needed: one that excuses nothing
 * now could later excuse an unforeseen violation.
 */
public final class Exemptions {

  private Exemptions() {}

  /**
   * Checks a rule, and then that the rule is violated if any one of the exemptions is removed.
   *
   * @param rule creates the rule from its exemptions, such as {@code DatabaseRules::noJdbc}
   * @throws AssertionError if the rule is violated, or if an exemption excuses nothing
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
