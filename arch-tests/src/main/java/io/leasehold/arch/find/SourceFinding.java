package io.leasehold.arch.find;

import static com.tngtech.archunit.lang.SimpleConditionEvent.violated;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import java.util.function.Function;
import java.util.stream.Stream;

/** Turns a search into a rule: each description that the search returns is a violation. */
public final class SourceFinding extends ArchCondition<JavaClass> {

  private final Function<JavaClass, Stream<String>> search;

  private SourceFinding(String description, Function<JavaClass, Stream<String>> search) {
    super("%s", description);
    this.search = search;
  }

  /**
   * Creates a rule that fails if the search finds anything, or if it had no class to check.
   *
   * @param description what classes should do, such as "make no plain SQL"
   */
  public static ArchRule rule(
      CodePlaces except, String description, Function<JavaClass, Stream<String>> search) {
    return classes()
        .that(except.outside())
        .should(new SourceFinding(description, search))
        .allowEmptyShould(false);
  }

  @Override
  public void check(JavaClass type, ConditionEvents events) {
    search.apply(type).distinct().forEach(found -> events.add(violated(type, found)));
  }
}
